import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TreeState } from '../ports/snapshotter.ts'
import { copyIndex } from './copy-index.ts'
import { findTop, runGit } from './git-command.ts'
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
  const place = await findWorkTree(directory)
  if (top === null || 'kind' in place) return null
  const [commit, committed] = await Promise.all(
    ['HEAD^{commit}', 'HEAD^{tree}'].map(async (revision) => {
      const { ok, stdout } = await runGit(directory, ['rev-parse', '--verify', '--quiet', revision])
      return ok ? stdout.toString('latin1').trim() : null
    }),
  )
  if (commit == null || committed == null) return null
  const tree = await writeTree(top, place.algorithm)
  return tree === null ? null : { commit, tree, isDirty: tree !== committed }
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
    await run(['init', '--quiet', '--template=', `--object-format=${algorithm}`])
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
