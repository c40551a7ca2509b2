import { existsSync } from 'node:fs'
import { copyFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { copyIndex } from '../snapshot/copy-index.ts'
import { readConfigured } from '../snapshot/git-filters.ts'
import { onDisk } from '../snapshot/raw-path.ts'
import { outsideExcludes } from '../snapshot/repository-state.ts'
import type { ObjectReader } from './object-reader.ts'
import { ChangeProblem, type Repository } from './repository.ts'

/**
 * Returns the tree object of the work tree as it is now: tracked files, whatever their index flags hide, and untracked ones that aren't
 * ignored. Writes it to our own repository; the index and objects of the real one don't change. Runs none of the repository's filters.
 */
export async function readWorkTree(repository: Repository, objects: ObjectReader): Promise<string> {
  const { top, gitDirectory, common } = repository
  if (top === null)
    throw new ChangeProblem(2, 'This repository is bare: it has no work tree. Name the head with --head.')
  const configured = await readConfigured(top)
  if (configured === null)
    throw new ChangeProblem(
      3,
      'The configuration of this repository cannot be read, or names too many filters.',
    )
  const own = join(objects.folder, 'git')
  await copyIndexFiles(gitDirectory, own)
  const excludes = join(objects.folder, 'exclude')
  await writeFile(excludes, outsideExcludes(top, common, configured.excludesFile), 'latin1')
  // Without the repository's own settings, unchanged files would differ by line ends or executable bits.
  const { withoutFilters, conversions } = configured
  const settings = [...withoutFilters, ...conversions, ['core.excludesFile', excludes] as const]
  const run: ObjectReader['run'] = (args, options = {}) =>
    objects.run(['-C', top, ...args], { ...options, settings })
  await clearFlags(run, top)
  const added = await run(['add', '--all', '--ignore-errors', '--', '.'])
  const written = await run(['write-tree'])
  const tree = written.stdout.toString('utf8').trim()
  if (!written.ok || tree === '')
    throw new ChangeProblem(
      3,
      `The work tree cannot be read: ${(written.error || added.error).split('\n')[0]}`,
    )
  return tree
}

async function copyIndexFiles(gitDirectory: string, own: string): Promise<void> {
  if (existsSync(join(gitDirectory, 'index')))
    await copyIndex(join(gitDirectory, 'index'), join(own, 'index'))
  for (const name of await readdir(gitDirectory))
    if (name.startsWith('sharedindex.')) await copyFile(join(gitDirectory, name), join(own, name))
}

/** Clears flags that hide changes. `h`: assumed unchanged; `S`: skipped in a sparse checkout, cleared only if the file exists. */
async function clearFlags(run: ObjectReader['run'], top: string): Promise<void> {
  const listed = (await run(['ls-files', '-v', '-z'])).stdout.toString('latin1').split('\0')
  const assumed = listed.filter((entry) => /^[a-z] /.test(entry)).map((entry) => entry.slice(2))
  const skipped = listed
    .filter((entry) => /^[Ss] /.test(entry))
    .map((entry) => entry.slice(2))
    .filter((path) => existsSync(onDisk(top, path)))
  for (const [flag, paths] of [
    ['--no-assume-unchanged', assumed],
    ['--no-skip-worktree', skipped],
  ] as const)
    if (paths.length > 0)
      await run(['update-index', flag, '-z', '--stdin'], {
        input: Buffer.from(`${paths.join('\0')}\0`, 'latin1'),
      })
}
