import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { existsSync } from '../files/names.ts'
import { succeeds } from '../files/succeeds.ts'
import type { TreeState } from '../ports/snapshotter.ts'
import { type Content, type HashAlgorithm, UNREADABLE } from './content.ts'
import { copyIndex } from './copy-index.ts'
import { findTop, runGit } from './git-command.ts'
import { configKey } from './git-config-key.ts'
import { readConfigured } from './git-filters.ts'
import { commonDirectory, realGitDirectory } from './git-folder.ts'
import { gitRoom } from './git-room.ts'
import type { GitSnapshot } from './git-snapshot.ts'
import { findWorkTree } from './git-work-tree.ts'
import { alternatesOf, makeRepository } from './own-repository.ts'
import type { RawPath } from './raw-path.ts'
import { hasOwnAttributes, outsideExcludes } from './repository-state.ts'
import { type TreeEntry, treeName } from './tree-name.ts'

/**
 * Returns the tree that git would commit for the work tree around `directory`, including untracked files, with the checked out
 * commit. Written to a temporary repository of ours, with a copy of the index: no object, index or lock of the folder's
 * repository changes, and its configuration is not used. `null` if the folder is in no repository or without a commit.
 */
export async function treeOfWork(directory: string): Promise<TreeState | null> {
  const top = findTop(directory)
  const key = configKey(directory)
  const place = await findWorkTree(directory, key)
  if (top === null || 'kind' in place) return null
  const head = await runGit(directory, ['rev-parse', 'HEAD^{commit}', 'HEAD^{tree}'])
  const [commit, committed] = head.ok ? head.stdout.toString('latin1').trim().split('\n') : []
  if (commit === undefined || committed === undefined) return null
  const named = (await readConfigured(directory, key))?.excludesFile ?? null
  const tree = await writeTree(top, place.algorithm, { excludesFile: named })
  return tree === null ? null : { commit, tree, isDirty: tree !== committed }
}

/** The tree that a look had: one that sees the same has the same. */
export interface KnownTree {
  /** The digest of what was seen. */
  readonly look: string
  /** The tree of the commit that is checked out. */
  readonly committed: string
  readonly state: TreeState
}

/** With more changed files than this, naming them to git takes as long as letting it look at all. */
const MAX_NAMED = 1000

/**
 * Returns the same tree as `treeOfWork`, given that nothing changed in the folder since a look at it. Git is asked only if it may convert
 * files, and then reads those that differ from the commit. `null` if that look does not tell everything: of a part of the work
 * tree, of one with repositories in it, or with files that git assumes to be unchanged.
 */
export async function treeOfLook(seen: GitSnapshot, known: KnownTree | null): Promise<KnownTree | null> {
  const { directory, head: commit, dirty, place } = seen
  const top = findTop(directory)
  if (top === null || commit === null || !tellsAll(seen)) return null
  const look = createHash('sha256')
    .update(JSON.stringify([commit, [...dirty]]))
    .digest('base64')
  if (known?.look === look) return known
  const committed = known?.state.commit === commit ? known.committed : await treeOfCommit(directory, commit)
  if (committed === null) return null
  const tree =
    dirty.size === 0
      ? committed
      : ((await plainTree(seen)) ?? (await writeTree(top, place.algorithm, [...dirty.keys()])))
  return tree === null ? null : { look, committed, state: { commit, tree, isDirty: tree !== committed } }
}

function tellsAll({ place, dirty, nested, index, incomplete }: GitSnapshot): boolean {
  const isWhole = place.prefix === '' && incomplete === null && dirty.size <= MAX_NAMED
  const isPlain = nested.length + index.submodules.length + index.flagged.length === 0
  return isWhole && isPlain && ![...dirty.values()].some(({ content }) => content === UNREADABLE)
}

/** Returns the tree by the contents that were seen; `null` if git may store a file otherwise than it is on disk. */
async function plainTree({
  directory,
  dirty,
  index,
  place,
  repository,
}: GitSnapshot): Promise<string | null> {
  const configured = await readConfigured(directory, configKey(directory))
  if (configured?.convertsFiles !== false || hasOwnAttributes(repository) || process.platform === 'win32')
    return null
  if (attributesBeside().some((path) => existsSync(path))) return null
  for (const path of [...index.entries.keys(), ...dirty.keys()])
    if (path.endsWith('.gitattributes')) return null
  const changes = new Map<RawPath, TreeEntry | null>()
  for (const [path, { content }] of dirty) {
    const entry = content === null ? null : entryOf(content)
    if (entry === undefined) return null
    changes.set(path, entry)
  }
  return treeName(index.entries, changes, place.algorithm)
}

/** Git's default files of attributes for all of a user's or machine's repositories. */
function attributesBeside(): readonly string[] {
  const home = process.env.XDG_CONFIG_HOME || join(homedir(), '.config')
  return [join(home, 'git', 'attributes'), '/etc/gitattributes']
}

function entryOf(content: Content): TreeEntry | undefined {
  const [, kind, id = '', isExecutable] = /^(file|link):([0-9a-f]+)(:x)?$/.exec(content) ?? []
  if (kind === undefined) return undefined
  return { id, mode: kind === 'link' ? '120000' : isExecutable === undefined ? '100644' : '100755' }
}

async function treeOfCommit(directory: string, commit: string): Promise<string | null> {
  const said = await runGit(directory, ['rev-parse', '--verify', '--end-of-options', `${commit}^{tree}`])
  return said.ok ? said.stdout.toString('latin1').trim() : null
}

/** What to read of a work tree: files by their paths, or all of them except those that the repository's and the user's rules ignore. */
type Reading = readonly RawPath[] | { readonly excludesFile: RawPath | null }

async function writeTree(top: string, algorithm: HashAlgorithm, reading: Reading): Promise<string | null> {
  const folder = await mkdtemp(join((await gitRoom()?.folder()) ?? tmpdir(), 'pulseward-tree-'))
  try {
    const gitDirectory = join(folder, 'git')
    const own = realGitDirectory(join(top, '.git'))
    const common = commonDirectory(own)
    const excludeFile = join(folder, 'exclude')
    const run = (args: readonly string[], input?: Buffer) =>
      runGit(top, args, {
        repository: { gitDirectory, top },
        ...(input !== undefined && { input }),
        settings: [
          ['core.excludesFile', excludeFile],
          // It is read once and deleted.
          ['core.looseCompression', '0'],
        ],
      })
    await makeRepository(gitDirectory, algorithm, alternatesOf([join(common, 'objects')]), run)
    // Without an index every file is read: slower, but with the same result.
    const copied = await succeeds(copyIndex(join(own, 'index'), join(gitDirectory, 'index')))
    const ask = async (): Promise<{ readonly ok: boolean }> => {
      if ('excludesFile' in reading) {
        await writeFile(excludeFile, outsideExcludes(top, common, reading.excludesFile), 'latin1')
        return run(['add', '--all', '--', '.'])
      }
      if (!copied) return { ok: false }
      return run(
        ['update-index', '--add', '--remove', '--replace', '-z', '--stdin'],
        Buffer.from(`${reading.join('\0')}\0`, 'latin1'),
      )
    }
    const added = await ask()
    const written = added.ok ? await run(['write-tree', '--missing-ok']) : null
    return written?.ok ? written.stdout.toString('latin1').trim() : null
  } finally {
    await rm(folder, { recursive: true, force: true }).catch(() => undefined)
  }
}
