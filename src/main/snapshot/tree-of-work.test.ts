import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { treeOfWork } from './tree-of-work.ts'

it.each(['sha1', 'sha256'])('names the tree that git would commit, with %s', async (algorithm) => {
  const folder = mkdtempSync(join(tmpdir(), 'pulseward-tree-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const author = ['-c', 'user.name=O', '-c', 'user.email=o@example.invalid']
  const git = (...words: string[]) => execFileSync('git', words, { cwd: folder }).toString().trim()
  git('init', '--quiet', `--object-format=${algorithm}`)
  expect(await treeOfWork(folder)).toBeNull()
  writeFileSync(join(folder, 'kept'), 'a')
  writeFileSync(join(folder, '.gitignore'), 'ignored\n')
  git('add', '.')
  git(...author, 'commit', '--quiet', '-m', 'Start')
  const commit = git('rev-parse', 'HEAD')
  expect(await treeOfWork(folder)).toEqual({ commit, tree: git('rev-parse', 'HEAD^{tree}'), isDirty: false })
  writeFileSync(join(folder, 'ignored'), '')
  writeFileSync(join(folder, 'new'), '')
  chmodSync(join(folder, 'kept'), 0o755)
  symlinkSync('kept', join(folder, 'link'))
  const seen = await treeOfWork(folder)
  expect(git('count-objects')).toMatch(/^4 /)
  git('add', '.')
  expect(seen).toEqual({ commit, tree: git('write-tree'), isDirty: true })
})
