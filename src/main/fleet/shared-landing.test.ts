import { execFileSync } from 'node:child_process'
import { chmod, mkdir, rm, watch, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { LandingRecord } from '../../core/record/landing-record.ts'
import { temporaryFolder, temporaryHost } from '../testing/temporary-host.ts'
import { type HostProcesses, hostProcesses } from './testing/host-processes.ts'
import { NATS, natsServer } from './testing/nats-server.ts'
import { recordedLines } from './testing/recorded-lines.ts'
import { type TemporaryHub, temporaryHub } from './testing/temporary-hub.ts'

/* Two hosts with clones of one repository share a task that lands on the remote's main branch. One of the hosts dies on the way. */

const IDENTITY = ['-c', 'user.name=Operator', '-c', 'user.email=o@example.org']
const CONFIGURATION = (host: string) => `[agent]
command = ["sh", "-c", "cat > /dev/null; [ -f work.txt ] || echo \\"done by ${host}\\" > work.txt; echo 'EXIT_SIGNAL: true'"]
sandbox = "off"
[heartbeat]
interval_minutes = 0.01
lease = "org/repository"
lease_seconds = 3
[scoring]
good_minutes = 0.01
excellent_minutes = 0.01
[workspace]
isolation = "worktree"
[landing]
mode = "auto"
target = "origin/main"
`

/** How far the center's clock is moved ahead, because a killed host keeps its lease until its attempt would have ended. */
let laterMs = 0
let root: string
let hub: TemporaryHub
let processes: HostProcesses

const git = (folder: string, ...words: string[]): string =>
  execFileSync('git', [...IDENTITY, ...words], { cwd: join(root, folder), encoding: 'utf8' }).trim()

beforeEach(async () => {
  root = await temporaryFolder()
  processes = hostProcesses(root)
  if (natsServer === null) return
  laterMs = 0
  hub = await temporaryHub({ monotonicMs: () => performance.now() + laterMs })
  await mkdir(join(root, 'remote.git'))
  git('remote.git', 'init', '--quiet', '--bare', '--initial-branch=main')
  for (const name of ['one', 'two']) {
    await hub.prepare(name)
    const contract = '## Tasks\n- [ ] work | Work | required | verify: contains("work.txt", "done")\n'
    const seeded = await temporaryHost(
      { work: { contract, configuration: CONFIGURATION(name) } },
      { root: join(root, name) },
    )
    await seeded.stop()
    git(`${name}/work`, 'init', '--quiet', '--initial-branch=main')
    git(`${name}/work`, 'remote', 'add', 'origin', join(root, 'remote.git'))
    if (name === 'one') {
      git('one/work', 'add', 'HEARTBEAT.md')
      git('one/work', 'commit', '--quiet', '--message', 'Begin')
      git('one/work', 'push', '--quiet', 'origin', 'main')
    } else {
      git('two/work', 'fetch', '--quiet')
      git('two/work', 'reset', '--quiet', 'origin/main')
    }
    await hub.joinFolder(name, processes.dataOf(name))
  }
})

afterEach(async () => {
  await processes.killAll()
  if (natsServer !== null) await hub.remove()
  await rm(root, { recursive: true, force: true })
})

/** Makes the remote signal when a push reaches this hook, and then run `rest`. */
async function hook(name: string, rest: string): Promise<void> {
  const path = join(root, 'remote.git/hooks', name)
  await writeFile(path, `#!/bin/sh\ntouch ${root}/signals/reached\n${rest}\n`)
  await chmod(path, 0o755)
}

/** Starts a host and kills it when its push has reached the hook. */
async function killAtPush(name: string): Promise<void> {
  await mkdir(join(root, 'signals'))
  const seen = watch(join(root, 'signals'))
  await processes.start(name, '')
  for await (const _ of seen) break
  await processes.end(name, 'SIGKILL')
  laterMs += 3_600_000
}

/** Returns the attempts that landed on the remote's main branch. */
const landed = (): readonly string[] =>
  git('remote.git', 'log', '--format=%(trailers:key=Pulseward-Attempt,valueonly,separator=)', 'main')
    .split('\n')
    .filter((line) => line !== '')

/** Returns the last recorded state of each attempt's landing. */
async function landings(name: string): Promise<readonly LandingRecord[]> {
  const last = new Map<string, LandingRecord>()
  for (const line of [...(await recordedLines(processes.dataOf(name))).values()].flat()) {
    const event = JSON.parse(line)
    if (event.type === 'landing-changed') last.set(event.landing.attemptId, event.landing)
  }
  return [...last.values()]
}

const WAIT = { timeout: 40_000, interval: 100 }

describe.skipIf(natsServer === null)(`landing of work that two hosts share (${NATS})`, () => {
  test('takes over work of a host that died before it landed, and lands it once', async () => {
    await hook('pre-receive', 'exit 1')
    await killAtPush('one')
    expect(landed()).toEqual([])
    await rm(join(root, 'remote.git/hooks/pre-receive'))
    await processes.start('two', '')
    await vi.waitFor(() => expect(landed()).toHaveLength(1), WAIT)
    expect(git('remote.git', 'show', 'main:work.txt')).toBe('done by two')
    // The first host comes back with its own verified work, which it must drop.
    await processes.start('one', '')
    await vi.waitFor(
      async () =>
        expect(await landings('one')).toMatchObject([
          { state: 'dropped', verified: true, because: expect.stringMatching(/^Another host took org/) },
        ]),
      WAIT,
    )
    for (const name of ['one', 'two']) await processes.end(name, 'SIGTERM')
    expect(landed()).toEqual((await landings('two')).map(({ attemptId }) => attemptId))
    expect(await landings('two')).toMatchObject([{ state: 'landed' }])
    // The dropped work keeps its ref.
    const [{ attemptId = '' } = {}] = await landings('one')
    expect(git('one/work', 'show', `refs/pulseward/attempts/${attemptId}:work.txt`)).toBe('done by one')
  }, 300_000)

  test('does not repeat work of a host that died after landing it', async () => {
    await hook('post-receive', 'sleep 1')
    await killAtPush('one')
    await rm(join(root, 'remote.git/hooks/post-receive'))
    await processes.start('two', '')
    const attempted = async (): Promise<number> =>
      [...(await recordedLines(processes.dataOf('two'))).values()]
        .flat()
        .filter((line) => JSON.parse(line).type === 'attempt-finished').length
    await vi.waitFor(async () => expect(await attempted()).toBeGreaterThan(0), WAIT)
    await processes.start('one', '')
    await vi.waitFor(async () => expect(await landings('one')).toMatchObject([{ state: 'landed' }]), WAIT)
    for (const name of ['one', 'two']) await processes.end(name, 'SIGTERM')
    expect(landed()).toEqual((await landings('one')).map(({ attemptId }) => attemptId))
    expect(await landings('two')).toEqual([])
    expect(git('remote.git', 'show', 'main:work.txt')).toBe('done by one')
  }, 300_000)
})
