import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Installation } from './installation.ts'
import type { UpdatesOptions } from './options.ts'
import { type ReleaseServer, releaseServer } from './testing/release-server.ts'
import { openUpdates } from './updates.ts'

const NOW = Date.parse('2026-11-22T12:00:00Z')
const NEW = Buffer.alloc(300_000, 'new')
const OLD = Buffer.alloc(200_000, 'old')

let folder: string
let server: ReleaseServer
let running: boolean

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pulseward-updates-'))
  server = await releaseServer()
  running = false
  await write('updates.json', JSON.stringify({ feed: `${server.url}/feed.json`, keys: [server.key] }))
})
afterEach(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

async function write(name: string, text: string): Promise<string> {
  await mkdir(join(folder, 'bin'), { recursive: true })
  await writeFile(join(folder, name), text)
  return join(folder, name)
}

function updates(overrides: Partial<UpdatesOptions> = {}) {
  const installation: Installation = { form: 'npm', arch: 'x64', beside: folder }
  return openUpdates({
    dataDirectory: join(folder, 'data'),
    version: '0.1.0',
    sourceFile: join(folder, 'updates.json'),
    installation: async () => installation,
    environment: { PATH: join(folder, 'bin') },
    userId: 1000,
    clock: { nowMs: () => NOW },
    hold: () => (running ? null : () => {}),
    backUp: async () => '2026-11-22T120000Z-asked',
    ...overrides,
  })
}

/** Creates a package manager that records its arguments and does nothing. */
async function manager(name: string, exitCode = 0): Promise<() => Promise<string>> {
  const said = join(folder, `${name}.said`)
  const path = await write(
    `bin/${name}`,
    `#!/bin/sh\necho "$@" >> ${said}\necho "the last word" >&2\nexit ${exitCode}\n`,
  )
  await chmod(path, 0o755)
  return () => readFile(said, 'utf8').catch(() => '')
}

const packages = async () =>
  (await readdir(join(folder, 'data/updates')).catch(() => [])).filter((name) => name !== 'updates.json')

function publishBoth(): void {
  server.publish({ releases: [server.release('0.2.0', NEW), server.release('0.1.0', OLD)] })
}

describe('a check for updates', () => {
  it('contacts no server before it is asked to', async () => {
    publishBoth()
    expect(await updates().status()).toMatchObject({
      newer: [],
      checkedAt: null,
      feed: `${server.url}/feed.json`,
    })
    expect(server.asked).toEqual([])
  })

  it('shows what is new in a signed feed, and keeps it across a restart', async () => {
    publishBoth()
    const { newer, problem } = await updates().check()
    expect({ newer, problem }).toEqual({
      newer: [{ version: '0.2.0', date: '2026-11-20', changes: '- What 0.2.0 brings' }],
      problem: null,
    })
    expect((await updates().status()).newer.map(({ version }) => version)).toEqual(['0.2.0'])
    expect(server.asked).toEqual(['/feed.json'])
  })

  it('finds nothing new if the feed has only older versions', async () => {
    server.publish({ releases: [server.release('0.0.9', OLD), server.release('0.1.0', OLD)] })
    expect((await updates().check()).newer).toEqual([])
    await expect(updates().install()).rejects.toThrow('0.1.0 is the newest')
    await expect(updates().install('0.0.9')).rejects.toThrow('0.1.0 is the newest')
  })

  it('refuses a feed signed with another key, and remembers why', async () => {
    const { privateKey } = generateKeyPairSync('ed25519')
    server.publish({ releases: [server.release('9.0.0', NEW)] }, { signedBy: privateKey })
    await expect(updates().check()).rejects.toThrow('not signed by the publisher')
    expect(await updates().status()).toMatchObject({
      newer: [],
      problem: expect.stringContaining('not signed by the publisher'),
    })
  })

  it('refuses a feed that was altered after it was signed', async () => {
    server.publish({ releases: [server.release('0.2.0', NEW)] })
    server.answers.set('/feed.json', String(server.answers.get('/feed.json')).replace('0.2.0', '0.2.1'))
    await expect(updates().check()).rejects.toThrow('not signed by the publisher')
  })

  it('refuses an older feed than the one it saw, and keeps that one', async () => {
    const old = server.publish({ issuedAt: '2026-11-01T00:00:00Z' })
    publishBoth()
    await updates().check()
    server.answers.set('/feed.json', old)
    await expect(updates().check()).rejects.toThrow('older than that of 2026-11-20T00:00:00Z')
    expect((await updates().status()).newer).toHaveLength(1)
  })

  it('refuses an expired feed', async () => {
    server.publish({ expiresAt: '2026-11-21T00:00:00Z' })
    await expect(updates().check()).rejects.toThrow('expired at 2026-11-21')
  })

  it("reports a newer version's format as such", async () => {
    server.publish({}, { format: 2 })
    await expect(updates().check()).rejects.toThrow('has a format (2) that this version can')
  })

  it.for([
    ['is missing', undefined, 'answered 404'],
    ['is not JSON', '<html>', 'is not an update feed'],
    ['is too long', Buffer.alloc(5_000_000, ' '), 'sends more than a feed has'],
  ] as const)('reports that a feed %s', async ([, answer, words]) => {
    if (answer !== undefined) server.answers.set('/feed.json', answer)
    await expect(updates().check()).rejects.toThrow(words)
  })

  it('reports a missing server', async () => {
    await server.close()
    await expect(updates().check()).rejects.toThrow(/feed\.json can.t be downloaded: .*ECONNREFUSED/)
  })

  it('does not trust a feed that another program put into the data folder', async () => {
    const { privateKey } = generateKeyPairSync('ed25519')
    const envelope = server.publish({ releases: [server.release('9.0.0', NEW)] }, { signedBy: privateKey })
    await mkdir(join(folder, 'data/updates'), { recursive: true })
    const kept = { checkedAt: '2026-11-20T00:00:00Z', problem: null, envelope, before: null }
    await writeFile(join(folder, 'data/updates/updates.json'), JSON.stringify(kept))
    expect((await updates().status()).newer).toEqual([])
    await expect(updates().install()).rejects.toThrow('not signed by the publisher')
  })

  it('accepts no address that is neither https nor this machine’s', async () => {
    await write('updates.json', JSON.stringify({ feed: 'http://example.org/feed.json', keys: [server.key] }))
    await expect(updates().check()).rejects.toThrow('has an invalid update source (feed)')
  })

  it('reports that a build has no update source', async () => {
    await write('updates.json', '{"feed": null, "keys": []}')
    expect(await updates().status()).toMatchObject({ feed: null, newer: [] })
    await expect(updates().check()).rejects.toThrow('This build has no update source')
  })
})

describe('an update', () => {
  it("is downloaded, and installed with the system's tool; the rollback package is kept, the rest is deleted", async () => {
    publishBoth()
    const npm = await manager('npm')
    const outcome = await updates().install()
    const file = join(folder, 'data/updates/pulseward-0.2.0.npm')
    expect(outcome).toMatchObject({ version: '0.2.0', installed: true, file })
    expect(await npm()).toBe(`install --global ${file}\n`)
    expect(await readFile(file)).toEqual(NEW)
    expect(await packages()).toEqual(['pulseward-0.1.0.npm', 'pulseward-0.2.0.npm'])

    const later = { nowMs: () => NOW + 180 * 86_400_000 }
    const after = updates({ version: '0.2.0', clock: later })
    expect((await after.status()).before).toEqual({ version: '0.1.0', backup: '2026-11-22T120000Z-asked' })
    // A rollback needs no network, even half a year later.
    server.answers.clear()
    expect(await after.rollBack()).toMatchObject({ version: '0.1.0', installed: true })
    expect((await npm()).split('\n')[1]).toBe(
      `install --global ${join(folder, 'data/updates/pulseward-0.1.0.npm')}`,
    )
  })

  it('does not start while a heartbeat runs, and does not wait for it', async () => {
    publishBoth()
    const npm = await manager('npm')
    running = true
    await expect(updates().install()).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining('A heartbeat is running'),
    })
    expect(await npm()).toBe('')
    running = false
    expect(await updates().install()).toMatchObject({ installed: true })
  })

  it('is left to the operator if it needs root and there is no screen to ask on', async () => {
    server.publish({ releases: [server.release('0.2.0', NEW, 'deb')] })
    const apt = await manager('apt-get')
    const outcome = await updates({
      installation: async () => ({ form: 'deb', arch: 'x64', beside: folder }),
    }).install()
    const file = join(folder, 'data/updates/pulseward-0.2.0.deb')
    expect(outcome).toMatchObject({
      installed: false,
      command: ['sudo', 'apt-get', 'install', '--yes', '--allow-downgrades', file],
    })
    expect(outcome.notes.join(' ')).toContain('The feed no longer has 0.1.0')
    expect(await apt()).toBe('')
  })

  it("asks for root on a screen, and reports the installer's message", async () => {
    server.publish({ releases: [server.release('0.2.0', NEW, 'rpm')] })
    const pkexec = await manager('pkexec', 127)
    const environment = { PATH: join(folder, 'bin'), DISPLAY: ':0' }
    const opened = updates({
      environment,
      installation: async () => ({ form: 'rpm', arch: 'x64', beside: folder }),
    })
    await expect(opened.install()).rejects.toThrow(/failed: the last word/)
    expect(await pkexec()).toMatch(/^rpm --upgrade --oldpackage \S+pulseward-0\.2\.0\.rpm\n$/)
    expect((await opened.status()).before).toBeNull()
  })

  it('is of the right kind, or none', async () => {
    publishBoth()
    const opened = updates({ installation: async () => ({ form: 'deb', arch: 'arm64', beside: folder }) })
    await expect(opened.install()).rejects.toThrow('no deb package for arm64')
    const checkout = updates({
      installation: async () => ({ form: 'checkout', arch: 'x64', beside: folder }),
    })
    await expect(checkout.install()).rejects.toThrow('this is a checkout: `git pull`')
  })

  it('that was cut off leaves nothing, and can be downloaded again', async () => {
    publishBoth()
    await manager('npm')
    server.answers.set('/pulseward-0.2.0.npm', (response) => {
      response.writeHead(200, { 'content-length': NEW.length })
      response.write(NEW.subarray(0, 1000), () => response.destroy())
    })
    await expect(updates().install()).rejects.toThrow(/can.t be downloaded|was cut off/)
    expect(await packages()).toEqual([])
    // A server that ends early without announcing the length.
    server.answers.set('/pulseward-0.2.0.npm', NEW.subarray(0, 1000))
    await expect(updates().install()).rejects.toThrow('cut off after 1000 of 300000 bytes')
    expect(await packages()).toEqual([])
    server.answers.set('/pulseward-0.2.0.npm', NEW)
    expect(await updates().install()).toMatchObject({ installed: true })
  })

  it.for([
    ['as long', Buffer.alloc(NEW.length, 'bad'), 'not the file that the publisher signed'],
    ['longer', Buffer.alloc(NEW.length + 1), 'sends more than its 300000 bytes'],
  ] as const)('with other content, %s, is not installed', async ([, content, words]) => {
    publishBoth()
    const npm = await manager('npm')
    server.answers.set('/pulseward-0.2.0.npm', content)
    await expect(updates().install()).rejects.toThrow(words)
    expect([await npm(), await packages()]).toEqual(['', []])
  })

  it('is complete from a server that closes the connection before it is all on disk, and over a redirect', async () => {
    const large = Buffer.alloc(20_000_000, 'large')
    server.publish({ releases: [server.release('0.2.0', large)] })
    await manager('npm')
    server.answers.set('/elsewhere', (response) => {
      response.writeHead(200, { connection: 'close' }).end(large)
    })
    server.answers.set('/pulseward-0.2.0.npm', (response) => {
      response.writeHead(302, { location: '/elsewhere' }).end()
    })
    expect(await updates().install()).toMatchObject({ installed: true })
    const file = await readFile(join(folder, 'data/updates/pulseward-0.2.0.npm'))
    expect(file.equals(large)).toBe(true)
  })

  it('does not follow a redirect to an unsafe address', async () => {
    publishBoth()
    server.answers.set('/pulseward-0.2.0.npm', (response) => {
      response.writeHead(302, { location: 'http://example.org/x' }).end()
    })
    await expect(updates().install()).rejects.toThrow(
      'http://example.org/x is a redirect target without https',
    )
  })

  it('reports a full disk, and leaves nothing on it', async ({ skip }) => {
    publishBoth()
    const npm = await manager('npm')
    const data = join(folder, 'data/updates')
    await mkdir(data, { recursive: true })
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=128k', 'tmpfs', data], { stdio: 'pipe' })
    } catch {
      skip('needs the permission to mount a tmpfs')
    }
    try {
      await expect(updates().install()).rejects.toThrow(/Cannot write \S+\.part: the disk is full \(ENOSPC\)/)
      expect([await npm(), await packages()]).toEqual(['', []])
      // What was already known is still there to show.
      expect((await updates().status()).newer).toHaveLength(1)
    } finally {
      execFileSync('umount', [data])
    }
  })

  it('is downloaded by the desktop on macOS and Windows, and must be the signed file there too', async () => {
    server.publish({ releases: [server.release('0.2.0', NEW, 'mac')] })
    const fetched = await write('fetched.zip', 'another')
    const asked: string[] = []
    const installByDesktop: UpdatesOptions['installByDesktop'] = async (version, isSigned) => {
      asked.push(version)
      if (!(await isSigned(fetched))) throw new Error('what was fetched is not the file')
    }
    const opened = updates({
      installByDesktop,
      installation: async () => ({ form: 'mac', arch: 'arm64', beside: folder }),
    })
    await expect(opened.install()).rejects.toThrow(
      '0.2.0 was not installed: what was fetched is not the file',
    )
    await writeFile(fetched, NEW)
    expect(await opened.install()).toMatchObject({ installed: true, file: null })
    expect(asked).toEqual(['0.2.0', '0.2.0'])
  })
})
