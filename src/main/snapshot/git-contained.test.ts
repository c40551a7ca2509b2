import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { until } from '../process/testing/running-processes.ts'
import { type ContainedWorld, containedWorld, meansHere } from '../sandbox/testing/contained-world.ts'
import { runGit } from './git-command.ts'
import { createGitRoom, inGitRoom } from './git-room.ts'
import { createSnapshotter } from './snapshotter.ts'
import { silentLog } from './testing/scratch-folder.ts'

/*
 * Tests git as Pulseward runs it, in the sandbox. A program that git is told to run simulates a bug in git: the settings that
 * normally prevent this are undone here.
 */

const means = await meansHere()
const LONG_MS = 60_000

describe.each(means)('git sandboxed by %s', (_, found) => {
  let world: ContainedWorld

  beforeEach(() => {
    world = containedWorld(found)
    const sh = (script: string) => execFileSync('sh', ['-ec', script], { cwd: world.workspace })
    sh(`git config user.name T; git config user.email t@e; echo one > a.txt; echo dist/ > .gitignore; mkdir deep; echo 1 > deep/b.txt
      git add -A; git commit -qm first; git branch other; echo two > a.txt; echo new > n.txt`)
  })

  afterEach(() => world.remove())

  async function asFaulty(script: string): Promise<string> {
    writeFileSync(join(world.workspace, 'evil'), `#!/bin/sh\n{ ${script}\n} >&2\n`)
    chmodSync(join(world.workspace, 'evil'), 0o755)
    const said = await inGitRoom(createGitRoom(world.contain, silentLog), () =>
      runGit(world.workspace, ['-c', 'alias.fault=!./evil; false', 'fault']),
    )
    return said.error
  }

  it('sees no secrets, none of our data, no other workspace and no process', {
    timeout: LONG_MS,
  }, async () => {
    const said =
      await asFaulty(`echo began; cat ${world.home}/.ssh/id_ed25519 ${world.home}/.claude/settings.json ${world.home}/.codex/auth.json \
      ${world.data}/server.json ${world.other}/HEARTBEAT.md; kill -0 ${process.pid} && echo reached; grep CapEff /proc/self/status`)
    expect(said).toContain('began')
    expect(said).not.toMatch(/KEY|CODEX-LOGIN|HOST-TOKEN|^OTHER|^\{\}|^reached/m)
    expect(said).toMatch(/CapEff:\s0+$/m)
  })

  it('writes nowhere, not even in the workspace and its repository', { timeout: LONG_MS }, async () => {
    const places = [
      world.workspace,
      `${world.workspace}/.git`,
      `${world.workspace}/.git/hooks`,
      world.home,
      world.data,
    ]
    const said = await asFaulty(
      `echo began; ${places.map((place) => `echo evil > ${place}/planted`).join('; ')}; echo evil > a.txt`,
    )
    expect(said).toContain('began')
    expect(places.filter((place) => existsSync(join(place, 'planted')))).toEqual([])
    expect(readFileSync(join(world.workspace, 'a.txt'), 'utf8')).toBe('two\n')
  })

  it('cannot reach the network', { timeout: LONG_MS }, async () => {
    const server = createServer((socket) => socket.end('REACHED'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    try {
      const said = await asFaulty(
        `echo began; node -e "require('net').connect(${port}, '127.0.0.1').on('data', (d) => console.error(String(d))).on('error', (e) => console.error(e.code))"`,
      )
      expect(said).toContain('ECONNREFUSED')
    } finally {
      server.close()
    }
  })

  it('does not get another workspace’s objects by naming them as its own', { timeout: LONG_MS }, async () => {
    execFileSync(
      'sh',
      ['-ec', 'git config user.name T; git config user.email t@e; git add -A; git commit -qm o'],
      {
        cwd: world.other,
      },
    )
    const blob = execFileSync('git', ['rev-parse', 'HEAD:HEARTBEAT.md'], {
      cwd: world.other,
      encoding: 'utf8',
    }).trim()
    mkdirSync(join(world.workspace, '.git/objects/info'), { recursive: true })
    writeFileSync(join(world.workspace, '.git/objects/info/alternates'), `${world.other}/.git/objects\n`)
    const show = () => runGit(world.workspace, ['cat-file', 'blob', blob])
    expect((await show()).stdout.toString()).toBe('OTHER')
    expect((await inGitRoom(createGitRoom(world.contain, silentLog), show)).stdout.toString()).toBe('')
  })

  it('does not escape when its shell is killed from inside', { timeout: LONG_MS }, async () => {
    const said = await asFaulty(`echo began; kill -9 $PPID -1; cat ${world.home}/.ssh/id_ed25519`)
    expect(said).not.toContain('KEY')
  })

  it('gives the same answers for an honest repository as outside the sandbox', {
    timeout: LONG_MS,
  }, async () => {
    const script = `echo three > a.txt; rm deep/b.txt; mkdir dist; echo x > dist/x; echo y > 'a b
c'; git add -A; git commit -qm second; echo z > z.txt; git stash -q -u; git stash pop -q; git gc -q`
    const seenBy = async (snapshotter: ReturnType<typeof createSnapshotter>) => {
      const before = await snapshotter.take(world.workspace)
      const kept = await snapshotter.keepTexts(before)
      execFileSync('sh', ['-ec', script], { cwd: world.workspace })
      const after = await snapshotter.take(world.workspace)
      const difference = await snapshotter.difference(before, after)
      const patch = await snapshotter.patch(kept, difference, 10_000)
      const measurable = await snapshotter.measurable(
        world.workspace,
        ['dist/x', 'a.txt', 'gone'],
        difference,
      )
      execFileSync(
        'sh',
        ['-ec', 'git reset -q --hard HEAD~1; git clean -fdxq; echo two > a.txt; echo new > n.txt'],
        {
          cwd: world.workspace,
        },
      )
      return { ...difference, headMoved: difference.headMoved !== null, patch, measurable }
    }
    const openly = await seenBy(createSnapshotter({ log: silentLog }))
    const contained = await seenBy(createSnapshotter({ log: silentLog, contain: world.contain }))
    expect(contained).toEqual(openly)
    expect(openly.modified).toContain('a.txt')
    expect(openly.walked).toBeUndefined()
  })

  it('starts its shell ahead of time, only if there is a repository, and leaves nothing behind', {
    timeout: LONG_MS,
  }, async () => {
    vi.stubEnv('TMPDIR', mkdtempSync(join(tmpdir(), 'rooms-')))
    const rooms = () => readdirSync(tmpdir()).filter((name) => name.startsWith('pulseward-git-'))
    const snapshotter = createSnapshotter({ log: silentLog, contain: world.contain })
    await snapshotter.expectLook(world.home)
    expect(rooms()).toEqual([])
    await snapshotter.expectLook(world.workspace)
    expect(rooms()).toHaveLength(1)
    expect((await snapshotter.take(world.workspace)).kind).toBe('git')
    await snapshotter.close()
    await until(() => rooms().length === 0)
  })

  it('reads a broken repository with its own rules in the sandbox, and leaves nothing behind', {
    timeout: LONG_MS,
  }, async () => {
    // Other processes of this machine may run git at the same time.
    vi.stubEnv('TMPDIR', mkdtempSync(join(tmpdir(), 'rooms-')))
    const snapshotter = createSnapshotter({ log: silentLog, contain: world.contain })
    const before = await snapshotter.take(world.workspace)
    execFileSync('sh', ['-ec', 'rm -rf .git; mkdir dist; echo x > dist/x; echo lie > a.txt'], {
      cwd: world.workspace,
    })
    const difference = await snapshotter.difference(before, await snapshotter.take(world.workspace))
    expect(difference).toMatchObject({ modified: ['a.txt'], added: [], walked: true })
    expect(difference.incomplete).toBeNull()
    await until(() => !readdirSync(tmpdir()).some((name) => name.startsWith('pulseward-git-')))
  })
})
