import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TreeState } from '../ports/snapshotter.ts'
import { copyIndex } from './copy-index.ts'
import { findTop, runGit } from './git-command.ts'
import { configKey } from './git-config-key.ts'
import { commonDirectory, readEveryByte, realGitDirectory } from './git-folder.ts'
import { gitRoom } from './git-room.ts'
import { findWorkTree } from './git-work-tree.ts'

/**
 * Returns the tree that git would commit for the work tree around `directory`, including untracked files, with the checked out
 * commit. Written to a temporary repository of ours, with a copy of the index: no object, index or lock of the folder's
 * repository changes, and its configuration is not used. `null` if the folder is in no repository or without a commit.
 */
export async function treeOfWork(directory: string): Promise<TreeState | null> {
  const top = findTop(directory)
  const place = await findWorkTree(directory, configKey(directory))
  if (top === null || 'kind' in place) return null
  const [head, tree] = await Promise.all([
    runGit(directory, ['rev-parse', 'HEAD^{commit}', 'HEAD^{tree}']),
    writeTree(top, place.algorithm),
  ])
  const [commit, committed] = head.ok ? head.stdout.toString('latin1').trim().split('\n') : []
  if (commit === undefined || committed === undefined || tree === null) return null
  return { commit, tree, isDirty: tree !== committed }
}

/** Creates an empty repository, without asking git for what is known: each call costs a program start after every attempt. */
async function makeRepository(
  gitDirectory: string,
  algorithm: string,
  run: (args: readonly string[]) => Promise<unknown>,
): Promise<void> {
  if (process.platform !== 'linux') {
    await run(['init', '--quiet', '--template=', `--object-format=${algorithm}`])
    return
  }
  const configuration =
    algorithm === 'sha1'
      ? '[core]\nrepositoryformatversion = 0\n'
      : `[core]\nrepositoryformatversion = 1\n[extensions]\nobjectformat = ${algorithm}\n`
  await mkdir(join(gitDirectory, 'refs'), { recursive: true })
  await Promise.all([
    writeFile(join(gitDirectory, 'HEAD'), 'ref: refs/heads/main\n'),
    writeFile(join(gitDirectory, 'config'), `${configuration}[core]\nfilemode = true\nbare = false\n`),
  ])
}

async function writeTree(top: string, algorithm: string): Promise<string | null> {
  const folder = await mkdtemp(join((await gitRoom()?.folder()) ?? tmpdir(), 'pulseward-tree-'))
  try {
    const gitDirectory = join(folder, 'git')
    const own = realGitDirectory(join(top, '.git'))
    const common = commonDirectory(own)
    const excludeFile = join(folder, 'exclude')
    await writeFile(excludeFile, readEveryByte(join(common, 'info', 'exclude')), 'latin1')
    const run = (args: readonly string[]) =>
      runGit(top, args, {
        repository: { gitDirectory, top },
        settings: [
          ['core.excludesFile', excludeFile],
          // It is read once and deleted.
          ['core.looseCompression', '0'],
        ],
      })
    await makeRepository(gitDirectory, algorithm, run)
    await mkdir(join(gitDirectory, 'objects', 'info'), { recursive: true })
    await writeFile(join(gitDirectory, 'objects', 'info', 'alternates'), `${join(common, 'objects')}\n`)
    // Without an index every file is read: slower, and the same tree.
    await copyIndex(join(own, 'index'), join(gitDirectory, 'index')).catch(() => undefined)
    const added = await run(['add', '--all', '--', '.'])
    const written = added.ok ? await run(['write-tree']) : added
    return written.ok ? written.stdout.toString('latin1').trim() : null
  } finally {
    await rm(folder, { recursive: true, force: true }).catch(() => undefined)
  }
}
