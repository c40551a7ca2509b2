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

/** Where the repository of a workspace lies, as far as whoever works in the workspace has to write there. */
export interface GitPlaces {
  readonly writable: readonly string[]
  /** Hooks and configuration: what git would run or obey outside of the containment. */
  readonly readable: readonly string[]
  /** Names that may not be moved away. */
  readonly held: readonly string[]
  /** What a repository never has, and git would obey in the place of its hooks and configuration. */
  readonly unwanted: readonly string[]
  /** What is read-only because it could not be found out what of it has to be, each with why. */
  readonly problems: readonly string[]
}

const NO_PLACES: GitPlaces = { writable: [], readable: [], held: [], unwanted: [], problems: [] }
/** More submodules and work trees than this are shown as they are, and not worked in. */
const MAX_FOLDERS = 200
/** Of all that lies in one repository, at any depth. */
const MAX_IN_ALL = 600
/** How many folders are looked into for them. */
const MAX_LOOKS = 2000
/** By any of them the folder of a submodule is known: the second cannot be taken away by an agent. */
const GITS_FILES = ['HEAD', 'config']
/** What of such a folder is not looked into for another, or by itself. */
const GITS_FOLDERS = new Set('branches hooks info lfs logs modules objects refs worktrees'.split(' '))

/**
 * Finds the repository that `workspace` lies in, without asking git. A repository whose top is the home folder or
 * above it (of dot files) is left alone; so is a `.git` that points to a place which does not point back: it may
 * be the agent's.
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
    // What cannot be found out may be what an agent left: nothing of it is written to.
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

/** `own`: the folder of the linked work tree that the workspace is, whatever lies beside it. */
function ofRepository(folder: string, others: readonly string[], own: readonly string[] = []): GitPlaces {
  const walk = walkThrough(folder, own)
  const { repositories, workTrees } = walk
  // Where there are no hooks yet, there is nothing to make read-only.
  makeIn(repositories, makeHooks, walk)
  if (repositories.some(hasOwnPerTree)) makeIn([...repositories, ...workTrees], makeConfig, walk)
  return {
    writable: [...others, ...own, folder],
    readable: [
      ...repositories.flatMap((one) => ['hooks', 'config', 'config.worktree'].map((name) => join(one, name))),
      ...workTrees.flatMap((one) => ['commondir', 'config.worktree'].map((name) => join(one, name))),
      ...walk.readOnly,
    ],
    // What leads to one that is read-only: with another in its place, git would obey that.
    held: [folder, ...walk.leading],
    // By it the folder of a work tree names its repository; that of a repository names nothing.
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

/** A file in their place is as good as none, and is made read-only as they are; a link to one could be replaced. */
function makeHooks(repository: string): void {
  const path = join(repository, 'hooks')
  if (!existsSync(path)) mkdirSync(path)
  else if (lstatSync(path).isSymbolicLink() && !statSync(path).isDirectory())
    throw new Error('its hooks are a link to a file')
}

/** Whether git reads a configuration for each work tree as well. */
function hasOwnPerTree(repository: string): boolean {
  try {
    return /worktreeconfig/i.test(readFileSync(join(repository, 'config'), 'utf8'))
  } catch {
    return false
  }
}

/** Empty, where there is none: there has to be something to be read-only. */
function makeConfig(folder: string): void {
  const path = join(folder, 'config.worktree')
  if (!existsSync(path)) writeFileSync(path, '', { flag: 'wx' })
}

/** What was found in one repository. */
interface Walk {
  /** It, its submodules, those of its work trees, and theirs. */
  readonly repositories: string[]
  readonly workTrees: string[]
  /** What lies above them, and they themselves. */
  readonly leading: string[]
  /** What holds more of them than are looked for, or cannot be looked into. */
  readonly readOnly: string[]
  readonly problems: string[]
}

/** Makes a folder read-only as a whole; not one that has gone meanwhile. */
function refuse(walk: Walk, folder: string, error: unknown): void {
  if (errorCode(error) === 'ENOENT') return
  walk.readOnly.push(folder)
  walk.problems.push(`${folder}: ${String(error)}`)
}

/** Git keeps submodules in one another, in work trees, and work trees in submodules. */
function walkThrough(repository: string, own: readonly string[]): Walk {
  const walk: Walk = { repositories: [repository], workTrees: [], leading: [], readOnly: [], problems: [] }
  const { repositories, workTrees } = walk
  const enter = (trees: readonly string[]): void => {
    workTrees.push(...trees)
    for (const tree of trees) repositories.push(...foldersIn(join(tree, 'modules'), walk))
  }
  enter(own)
  // It grows meanwhile.
  for (const one of repositories) {
    repositories.push(...foldersIn(join(one, 'modules'), walk))
    enter(foldersIn(join(one, 'worktrees'), walk).filter((tree) => !own.includes(tree)))
  }
  return walk
}

/**
 * The folders beneath one in which git keeps something: of work trees, whose names have one part, or of submodules,
 * whose names can have more.
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
      refuse(walk, top, 'holds more than is looked at')
      return []
    }
    leading.push(next)
    const isOfGit = next !== top && (isTrees || GITS_FILES.some((name) => isFile(join(next, name))))
    if (isOfGit) folders.push(next)
    // An agent can make one look like it in which others lie.
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

/**
 * The folder that a `.git` file names, of a linked work tree or a submodule; `null` where that folder knows
 * nothing of it.
 */
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
