import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs'
import { dirname, isAbsolute, join, resolve, sep } from 'node:path'

/** Where the repository of a workspace lies, as far as whoever works in the workspace has to write there. */
export interface GitPlaces {
  readonly writable: readonly string[]
  /** Hooks and configuration: what git would run or obey outside of the containment. */
  readonly readable: readonly string[]
  /** Names that may not be moved away. */
  readonly held: readonly string[]
  /** What a repository never has, and git would obey in the place of its hooks and configuration. */
  readonly unwanted: readonly string[]
}

const NO_PLACES: GitPlaces = { writable: [], readable: [], held: [], unwanted: [] }
/** More submodules and work trees than this are shown as they are, and not worked in. */
const MAX_FOLDERS = 200
/** How many folders are looked into for them. */
const MAX_LOOKS = 2000

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
    const places = ofRepository(shared, [top, ...(shared === folder ? [] : [folder])])
    return { ...places, readable: [...places.readable, entry, join(folder, 'config.worktree')] }
  } catch {
    // What cannot be found out may be what an agent left: nothing of it is written to.
    return { ...NO_PLACES, readable: [entry] }
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

function ofRepository(folder: string, others: readonly string[]): GitPlaces {
  const modules = foldersIn(join(folder, 'modules'))
  const repositories = [folder, ...modules.folders]
  const trees = repositories.map((one) => foldersIn(join(one, 'worktrees')))
  const workTrees = trees.flatMap(({ folders }) => folders)
  // Where there are no hooks yet, there is nothing to make read-only.
  for (const one of repositories) mkdirSync(join(one, 'hooks'), { recursive: true })
  if (repositories.some(hasOwnPerTree)) for (const one of [...repositories, ...workTrees]) makeConfig(one)
  return {
    writable: [...others, folder],
    readable: [
      ...repositories.flatMap((one) => ['hooks', 'config', 'config.worktree'].map((name) => join(one, name))),
      ...workTrees.flatMap((one) => ['commondir', 'config.worktree'].map((name) => join(one, name))),
      ...[modules, ...trees].flatMap(({ tooMany }) => tooMany),
    ],
    // What leads to one that is read-only: with another in its place, git would obey that.
    held: [folder, ...[modules, ...trees].flatMap(({ leading }) => leading)],
    // By it the folder of a work tree names its repository; that of a repository names nothing.
    unwanted: repositories.map((one) => join(one, 'commondir')),
  }
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

interface GitFolders {
  readonly folders: readonly string[]
  /** What lies above them, and they themselves. */
  readonly leading: readonly string[]
  /** The folder that holds them, where there are more than are looked for. */
  readonly tooMany: readonly string[]
}

/**
 * The folders beneath one in which git keeps something, of a submodule or of a work tree: those of submodules lie
 * in one another.
 */
function foldersIn(top: string): GitFolders {
  const folders: string[] = []
  const leading: string[] = []
  const waiting = existsSync(top) ? [top] : []
  for (let looks = 0; ; looks += 1) {
    const next = waiting.shift()
    if (next === undefined) return { folders, leading, tooMany: [] }
    if (looks === MAX_LOOKS || folders.length > MAX_FOLDERS)
      return { folders: [], leading: [top], tooMany: [top] }
    leading.push(next)
    const isOfGit = next !== top && existsSync(join(next, 'HEAD'))
    if (isOfGit) folders.push(next)
    const inside = isOfGit ? join(next, 'modules') : next
    if (existsSync(inside)) waiting.push(...(isOfGit ? [inside] : subfolders(inside)))
  }
}

function subfolders(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name))
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
