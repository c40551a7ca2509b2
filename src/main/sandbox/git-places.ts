import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
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
const MAX_MODULES = 50

/**
 * Finds the repository that `workspace` lies in, without asking git. A repository whose top is the home folder or above it (of dot files)
 * is left alone; so is a `.git` that points to a place which does not point back: it may be the agent's.
 */
export function gitPlaces(workspace: string, home: string): GitPlaces {
  const top = topOf(workspace)
  if (top === null || isWithin(home, top)) return NO_PLACES
  const entry = join(top, '.git')
  try {
    const status = lstatSync(entry)
    if (status.isDirectory()) return { ...ofRepository(entry, [top]), held: [entry] }
    const folder = status.isFile() ? linkedFolder(entry, top) : null
    if (folder === null) return { ...NO_PLACES, writable: [top], readable: status.isFile() ? [entry] : [] }
    const shared = commonFolder(folder)
    const places = ofRepository(shared, [top, ...(shared === folder ? [] : [folder])])
    return {
      ...places,
      readable: [...places.readable, entry, join(folder, 'config.worktree')],
      held: [shared],
    }
  } catch {
    return NO_PLACES
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

function ofRepository(folder: string, others: readonly string[]): Omit<GitPlaces, 'held'> {
  const repositories = [folder, ...modulesOf(folder)]
  // Where there are no hooks yet, there is nothing to make read-only.
  for (const one of repositories) mkdirSync(join(one, 'hooks'), { recursive: true })
  return {
    writable: [...others, folder],
    readable: [
      ...repositories.flatMap((one) => ['hooks', 'config', 'config.worktree'].map((name) => join(one, name))),
      ...foldersIn(join(folder, 'worktrees')).flatMap((one) =>
        ['commondir', 'config.worktree'].map((name) => join(one, name)),
      ),
    ],
    // By it the folder of a work tree names its repository; that of a repository names nothing.
    unwanted: repositories.map((one) => join(one, 'commondir')),
  }
}

function modulesOf(folder: string): readonly string[] {
  return foldersIn(join(folder, 'modules'))
}

/** Those in which git keeps something: of a submodule, or of a work tree. */
function foldersIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .slice(0, MAX_MODULES)
    .map((name) => join(folder, name))
    .filter((one) => existsSync(join(one, 'HEAD')))
}

/** The folder that a `.git` file names, of a linked work tree or a submodule; `null` where that folder knows nothing of it. */
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
