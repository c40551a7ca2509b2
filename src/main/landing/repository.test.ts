import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { branchOf, openRepository, refusalOf, sharedStateOf } from './repository.ts'
import { landingRepository } from './testing/landing-repository.ts'

const at = landingRepository()

async function opened() {
  const repository = await openRepository(at.top)
  if ('reason' in repository) throw new Error(repository.reason)
  return repository
}

test('the shared state changes with settings and hooks, but not with git’s own bookkeeping', async () => {
  const repository = await opened()
  const states = [await sharedStateOf(repository)]
  at.git('branch', 'other')
  at.git('config', 'branch.other.remote', 'origin')
  at.git('tag', 'v1')
  expect(await sharedStateOf(repository)).toBe(states[0])
  at.git('config', 'merge.evil.driver', 'evil %A')
  states.push(await sharedStateOf(repository))
  mkdirSync(join(at.top, '.git/hooks'), { recursive: true })
  writeFileSync(join(at.top, '.git/hooks/post-merge'), '#!/bin/sh\n', { mode: 0o644 })
  states.push(await sharedStateOf(repository))
  chmodSync(join(at.top, '.git/hooks/post-merge'), 0o755)
  states.push(await sharedStateOf(repository))
  expect(new Set(states).size).toBe(4)
})

test('the shared state changes with hooks in the folder that core.hooksPath names', async () => {
  at.git('config', 'core.hooksPath', '.husky')
  at.write({ '.husky/pre-commit': 'true\n' })
  const repository = await opened()
  const before = await sharedStateOf(repository)
  at.write({ 'one.txt': 'two\n', 'hooks/pre-commit': 'not a hook\n' })
  expect(await sharedStateOf(repository)).toBe(before)
  at.write({ '.husky/pre-commit': 'evil\n' })
  expect(await sharedStateOf(repository)).not.toBe(before)
})

test('refuses a filter also where the attributes call their own file binary', async () => {
  const commit = at.commitOf({ 'deep/.gitattributes': '.gitattributes binary\n*.bin filter=secret\n' })
  expect(await refusalOf(await opened(), commit)).toMatchObject({ reason: expect.stringContaining('secret') })
})

test('does not refuse a filter that is only in a comment', async () => {
  const commit = at.commitOf({ '.gitattributes': '# *.psd filter=lfs\n\t#*.bin filter=lfs\n*.txt text\n' })
  expect(await refusalOf(await opened(), commit)).toBeNull()
})

test('rejects a submodule in any folder', async () => {
  const head = at.git('rev-parse', 'HEAD')
  at.git('update-index', '--add', '--cacheinfo', `160000,${head},deep/module`)
  const commit = at.git('commit-tree', at.git('write-tree'), '-p', head, '-m', 'Module')
  expect(await refusalOf(await opened(), commit)).toMatchObject({
    reason: expect.stringContaining('deep/module'),
  })
  expect(await refusalOf(await opened(), head)).toBeNull()
})

test('names the checked-out branch, even if a tag has the same name', async () => {
  at.git('tag', 'main')
  expect(await branchOf(await opened())).toBe('main')
  at.git('checkout', '--quiet', '-b', 'heads/main')
  expect(await branchOf(await opened())).toBe('heads/main')
  at.git('checkout', '--quiet', '--detach')
  expect(await branchOf(await opened())).toBeNull()
})
