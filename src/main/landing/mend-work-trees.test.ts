import { cpSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { gitAt } from './git.ts'
import { mendWorkTrees } from './mend-work-trees.ts'
import { checkedOut } from './move-target.ts'
import { openRepository } from './repository.ts'
import { landingRepository } from './testing/landing-repository.ts'

const at = landingRepository()

async function mend(folder: string): Promise<boolean> {
  const opened = await openRepository(join(at.root, folder))
  if ('reason' in opened) throw new Error(opened.reason)
  return mendWorkTrees(opened)
}

const treesOf = (folder: string, branch: string): Promise<readonly string[]> =>
  checkedOut(gitAt({ directory: join(at.root, folder) }), `refs/heads/${branch}`)

test('reconnects a moved work tree, once', async () => {
  at.git('worktree', 'add', '--quiet', '-b', 'side', '../side')
  expect(await mend('side')).toBe(false)
  renameSync(join(at.root, 'side'), join(at.root, 'moved'))
  expect(await treesOf('p', 'side')).toEqual([])
  expect(await mend('moved')).toBe(true)
  expect(await treesOf('p', 'side')).toEqual([join(at.root, 'moved')])
  expect(await mend('moved')).toBe(false)
})

test('reconnects the work trees of a moved repository', async () => {
  at.git('worktree', 'add', '--quiet', '-b', 'side', '../side')
  renameSync(at.top, join(at.root, 'moved'))
  expect(await mend('moved')).toBe(true)
  expect(await treesOf('side', 'side')).toEqual([join(at.root, 'side')])
})

test('does not touch copies, or the work tree that they were copied from', async () => {
  at.git('worktree', 'add', '--quiet', '-b', 'side', '../side')
  for (const [from, to] of [
    ['side', 'side-copy'],
    ['p', 'p-copy'],
  ] as const)
    cpSync(join(at.root, from), join(at.root, to), { recursive: true })
  expect(await mend('side-copy')).toBe(false)
  expect(await mend('p-copy')).toBe(false)
  expect(await treesOf('p', 'side')).toEqual([join(at.root, 'side')])
})
