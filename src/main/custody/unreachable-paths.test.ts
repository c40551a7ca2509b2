import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { reachOf } from './check-reach.ts'
import { hiddenFromGit } from './git-view.ts'
import { namesGone } from './moved-away.ts'

/* What an agent can leave and no program can read: a folder that links to itself, and names that are too long. */

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pulseward-paths-'))
  await symlink('src', join(folder, 'src'))
  await writeFile(join(folder, 'here.js'), '')
})
afterEach(() => rm(folder, { recursive: true }))

const LONG = 'a'.repeat(300)
const UNKNOWN = () => undefined

test('files below a link to itself are gone, not hidden', () => {
  expect(namesGone(folder, ['src/a.js', 'here.js', LONG])).toEqual(['src/a.js', LONG])
  expect(hiddenFromGit(folder, 'src/a.js\nhere.js\n', '')).toEqual(['here.js'])
})

test('treats text longer than any path as a script, and does not count unreachable paths as check files', () => {
  for (const script of [LONG, 'src/a.sh', `${': ; '.repeat(100)}test -s count.txt`])
    expect(reachOf({ name: 'gate', command: ['sh', '-c', script] }, folder, UNKNOWN).reads).toEqual([])
  expect(reachOf({ name: 'gate', command: ['sh', 'src/a.sh', LONG] }, folder, UNKNOWN).executes).toBeDefined()
})
