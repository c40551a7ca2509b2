import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path'
import { errorCode } from '../files/storage-error.ts'

/** Where a workspace's repository is, and where an agent in the workspace must be able to write. */
export interface GitPlaces {
  readonly writable: readonly string[]
  /** Hooks and configuration: what git outside the sandbox would run or obey. */
  readonly readable: readonly string[]
  /** Paths that may not be moved. */
  readonly held: readonly string[]
  /** Files that a repository never has, and that git would obey instead of its hooks and configuration. */
  readonly unwanted: readonly string[]
  /** Why something is read-only although it may not have to be, because the question could not be answered. */
  readonly problems: readonly string[]
}

const NO_PLACES: GitPlaces = { writable: [], readable: [], held: [], unwanted: [], problems: [] }
/** If there are more submodules and work trees, they are shown read-only. */
const MAX_FOLDERS = 200
/** The limit for one repository, at any depth. */
const MAX_IN_ALL = 600
/** How many folders are searched for submodules and work trees. */
const MAX_LOOKS = 2000
/** Either file identifies a submodule's folder: an agent cannot remove the second. */
const GITS_FILES = ['HEAD', 'config']
/** Subfolders that are not searched for others. */
const GITS_FOLDERS = new Set('branches hooks info lfs logs modules objects refs worktrees'.split(' '))

/**
 * Finds the repository that contains `workspace`, without running git. Ignores a repository whose top is the home folder or above it (for
 * dot files), and a `.git` file whose target does not point back: the agent may have made it.
 */
export function gitPlaces(workspace: string, home: string): GitPlaces {
  const top = topOf(workspace)
  if (top === null || isWithin(home, top)) return NO_PLACES
  const entry = join(top, '.git')
  try {
    const status = lstatSync(entry)
    if (status.isDirectory()) return ofRepository(entry, [top])
    const folder = status.isFile() ? linkedFolder(entry, top) : null
    if (folder === null) return { ...NO_PLACES, writable: [top], readable: status.isFile() ? [entry] : [] }
    const shared = commonFolder(folder)
    const places = ofRepository(shared, [top], shared === folder ? [] : [folder])
    return { ...places, readable: [...places.readable, entry] }
  } catch (error) {
    // If this cannot be determined, an agent may have caused that: nothing in it may be written.
    return { ...NO_PLACES, readable: [entry], problems: [`${entry}: ${String(error)}`] }
  }
}

function topOf(workspace: string): string | null {
  for (let folder = workspace; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder
    if (folder === dirname(folder)) return null
  }
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

/** `own`: the linked work tree's own git folder, if the workspace is one, even if there are others. */
function ofRepository(folder: string, others: readonly string[], own: readonly string[] = []): GitPlaces {
  const walk = walkThrough(folder, own)
  const { repositories, workTrees } = walk
  // Missing hooks folders are created, so that they can be made read-only.
  makeIn(repositories, makeHooks, walk)
  if (repositories.some(hasOwnPerTree)) makeIn([...repositories, ...workTrees], makeConfig, walk)
  return {
    writable: [...others, ...own, folder],
    readable: [
      ...repositories.flatMap((one) => ['hooks', 'config', 'config.worktree'].map((name) => join(one, name))),
      ...workTrees.flatMap((one) => ['commondir', 'config.worktree'].map((name) => join(one, name))),
      ...walk.readOnly,
    ],
    // Folders that lead to a read-only one: if one were replaced, git would obey the replacement.
    held: [folder, ...walk.leading],
    // In a work tree's folder it names the repository; in a repository it should not exist.
    unwanted: repositories.map((one) => join(one, 'commondir')),
    problems: walk.problems,
  }
}

function makeIn(folders: readonly string[], make: (folder: string) => void, walk: Walk): void {
  for (const folder of folders) {
    try {
      make(folder)
    } catch (error) {
      refuse(walk, folder, error)
    }
  }
}

/** A file instead of the folder counts as none, and is made read-only too; a link to a file could be replaced. */
function makeHooks(repository: string): void {
  const path = join(repository, 'hooks')
  if (!existsSync(path)) mkdirSync(path)
  else if (lstatSync(path).isSymbolicLink() && !statSync(path).isDirectory())
    throw new Error('its hooks are a link to a file')
}

/** Returns whether git also reads a configuration per work tree. */
function hasOwnPerTree(repository: string): boolean {
  try {
    return /worktreeconfig/i.test(readFileSync(join(repository, 'config'), 'utf8'))
  } catch {
    return false
  }
}

/** Creates an empty one if there is none: it must exist to be made read-only. */
function makeConfig(folder: string): void {
  const path = join(folder, 'config.worktree')
  if (!existsSync(path)) writeFileSync(path, '', { flag: 'wx' })
}

/** What was found in one repository. */
interface Walk {
  /** The repository, its submodules, those of its work trees, and theirs. */
  readonly repositories: string[]
  readonly workTrees: string[]
  /** The folders themselves and their parents. */
  readonly leading: string[]
  /** Folders with too many of them, or that cannot be searched. */
  readonly readOnly: string[]
  readonly problems: string[]
}

/** Makes a whole folder read-only, unless it has disappeared. */
function refuse(walk: Walk, folder: string, error: unknown): void {
  if (errorCode(error) === 'ENOENT') return
  walk.readOnly.push(folder)
  walk.problems.push(`${folder}: ${String(error)}`)
}

/** Git nests submodules in one another and in work trees, and work trees in submodules. */
function walkThrough(repository: string, own: readonly string[]): Walk {
  const walk: Walk = { repositories: [repository], workTrees: [], leading: [], readOnly: [], problems: [] }
  const { repositories, workTrees } = walk
  const enter = (trees: readonly string[]): void => {
    workTrees.push(...trees)
    for (const tree of trees) repositories.push(...foldersIn(join(tree, 'modules'), walk))
  }
  enter(own)
  // The list grows during the loop.
  for (const one of repositories) {
    repositories.push(...foldersIn(join(one, 'modules'), walk))
    enter(foldersIn(join(one, 'worktrees'), walk).filter((tree) => !own.includes(tree)))
  }
  return walk
}

/**
 * Returns the folders in `top` in which git keeps data: of work trees, whose names have one part, or of submodules, whose names
 * can have more.
 */
function foldersIn(top: string, walk: Walk): readonly string[] {
  if (!existsSync(top)) return []
  const folders: string[] = []
  const leading: string[] = []
  const waiting = [top]
  const isTrees = basename(top) === 'worktrees'
  const known = walk.repositories.length + walk.workTrees.length
  for (let looks = 0; ; looks += 1) {
    const next = waiting.shift()
    if (next === undefined) break
    if (looks === MAX_LOOKS || folders.length > MAX_FOLDERS || known + folders.length > MAX_IN_ALL) {
      walk.leading.push(top)
      refuse(walk, top, 'contains more folders than are searched')
      return []
    }
    leading.push(next)
    const isOfGit = next !== top && (isTrees || GITS_FILES.some((name) => isFile(join(next, name))))
    if (isOfGit) folders.push(next)
    // An agent can disguise a folder that contains others as one.
    if (!isOfGit) waiting.push(...subfolders(next, walk))
    else if (!isTrees)
      waiting.push(...subfolders(next, walk).filter((inner) => !GITS_FOLDERS.has(basename(inner))))
  }
  walk.leading.push(...leading)
  return folders
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile()
}

function subfolders(folder: string, walk: Walk): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(folder, name))
  } catch (error) {
    refuse(walk, folder, error)
    return []
  }
}

/** Returns the folder that the `.git` file of a linked work tree or submodule names; `null` if that folder does not point back. */
function linkedFolder(entry: string, top: string): string | null {
  const named = /^gitdir: (.+)$/m.exec(readFileSync(entry, 'utf8'))?.[1]?.trim()
  if (named === undefined) return null
  const folder = realpathSync(resolve(top, named))
  const back = join(folder, 'gitdir')
  if (existsSync(back)) {
    const isOurs = realpathSync(readFileSync(back, 'utf8').trim()) === realpathSync(entry)
    return isOurs ? folder : null
  }
  const outer = topOf(dirname(top))
  return outer !== null && isWithin(folder, join(realpathSync(outer), '.git', 'modules')) ? folder : null
}

function commonFolder(folder: string): string {
  const file = join(folder, 'commondir')
  if (!existsSync(file)) return folder
  const named = readFileSync(file, 'utf8').trim()
  return realpathSync(isAbsolute(named) ? named : join(folder, named))
}
