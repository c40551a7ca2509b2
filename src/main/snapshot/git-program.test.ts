import { execFileSync } from 'node:child_process'
import { chmodSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createSnapshotter } from './snapshotter.ts'
import { createScratchFolder, type ScratchFolder, silentLog } from './testing/scratch-folder.ts'

let folder: ScratchFolder
let programs: ScratchFolder
const realGit = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()

/** Puts a git in a folder that an agent can write to, first on PATH. */
function putGit(script: string): void {
  programs.write('new', `#!/bin/sh\n${script}\n`)
  chmodSync(join(programs.path, 'new'), 0o755)
  renameSync(join(programs.path, 'new'), join(programs.path, 'git'))
}

beforeEach(() => {
  folder = createScratchFolder()
  programs = createScratchFolder()
  vi.stubEnv('PATH', `${programs.path}:${process.env.PATH}`)
  putGit(`exec ${realGit} "$@"`)
})
afterEach(() => {
  folder.dispose()
  programs.dispose()
})

it('runs a git that is unchanged', async () => {
  const snapshotter = createSnapshotter({ log: silentLog })
  folder.makeRepository({ a: 'one' })
  const before = await snapshotter.take(folder.path)
  folder.write('a', 'two')
  const after = await snapshotter.take(folder.path)
  expect([before.kind, after.kind]).toEqual(['git', 'git'])
  expect((await snapshotter.difference(before, after)).modified).toEqual(['a'])
})

it('does not run a git that was replaced, even if git was never run before', async () => {
  const snapshotter = createSnapshotter({ log: silentLog })
  folder.write('a', 'one')
  const before = await snapshotter.take(folder.path)
  folder.makeRepository({ a: 'two' })
  putGit(`echo ran >> ${join(programs.path, 'ran')}; exec ${realGit} "$@"`)
  const after = await snapshotter.take(folder.path)
  const difference = await snapshotter.difference(before, after)
  expect([before.kind, after.kind, difference.modified]).toEqual(['walk', 'walk', ['a']])
  await snapshotter.measurable(folder.path, ['a', 'b'], difference)
  expect(() => execFileSync('cat', [join(programs.path, 'ran')], { stdio: 'pipe' })).toThrow()
})
