import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, realpathSync, statSync } from 'node:fs'
import { basename, delimiter, isAbsolute, join, sep } from 'node:path'
import type { OwnFolders } from '../../core/agents/program.ts'
import type { PresetId } from '../../core/agents/programs.ts'
import { asksRemote } from '../../core/custody/git-view.ts'
import type { ContainmentPolicy, OwnHome } from '../ports/containment.ts'
import { gitPlaces } from './git-places.ts'
import {
  CACHES_OF,
  cachePlaces,
  commandingSockets,
  othersPlaces,
  ownPlaces,
  placesOfProgram,
  privatePlaces,
  settingPlaces,
} from './private-places.ts'

/** The facts about this machine that a policy depends on. */
export interface Surroundings {
  readonly home: string
  readonly environment: NodeJS.ProcessEnv
  /** Pulseward's own folders: its data, seals and settings. */
  readonly ownData: readonly string[]
  /** Where Pulseward's program is. */
  readonly installation: string
  /** The folders of all workspaces. */
  readonly workspaces: readonly string[]
  /** Where agents' writes to the operator's home are kept for a while; if omitted, they go to memory and nothing is kept. */
  readonly homes?: string
}

/** A workspace's sandbox configuration. */
export interface ContainmentSettings {
  readonly preset: PresetId | null
  /** Hidden in addition to the default; `~/` is the home folder. */
  readonly hide: readonly string[]
  /** Writable in addition to the default. */
  readonly writable: readonly string[]
  /** Inherited variables that are passed on by name. */
  readonly passed: readonly string[]
}

/** What kind of process is sandboxed. */
export type Role =
  | { readonly kind: 'agent' }
  /** A probe or a gate; `program` is the first program it starts, `words` are its arguments. */
  | { readonly kind: 'check'; readonly program: string; readonly words?: readonly string[] }
  | { readonly kind: 'judge'; readonly preset: PresetId | null }
  | { readonly kind: 'git' }

/**
 * Returns the minimum that each needs: an agent its workspace, its repository and its program's files; a check the same
 * workspace, except for contract and configuration, and what its program needs to read the outside world; a judge and git only
 * read.
 */
export function policyFor(
  role: Role,
  workspace: string,
  settings: ContainmentSettings,
  surroundings: Surroundings,
): Omit<ContainmentPolicy, 'network'> {
  const { home, environment } = surroundings
  const git = gitPlaces(workspace, home)
  const work = [workspace, ...git.writable]
  const asked = role.kind === 'git' ? [] : expand(settings.writable, home)
  const own = placesOf(role, [...work, ...asked], settings, surroundings)
  const passed = role.kind === 'agent' ? settings.passed : []
  const shared = { ...environment }
  for (const name of passed) delete shared[name]
  const sockets = passed.flatMap((name) => socketOf(environment[name]) ?? [])
  const needed = new Set([...own.reads, ...sockets])
  const onlyLooks = role.kind === 'judge' || role.kind === 'git'
  if (!onlyLooks) makeCaches(home, environment)
  return {
    writable: [...(onlyLooks ? [] : work), ...asked],
    ...(role.kind !== 'git' && isFolderOfItsOwn(home) && { home: homeOf(role, own, surroundings) }),
    layered: role.kind === 'git' ? [] : cachePlaces(home),
    redacted: settingPlaces(home),
    held: onlyLooks ? [] : git.held,
    unwanted: onlyLooks ? [] : git.unwanted,
    problems: onlyLooks ? [] : git.problems,
    readable: [
      ...(onlyLooks ? work : git.readable),
      ...(role.kind === 'check' ? OPERATORS_FILES.map((name) => join(workspace, name)) : []),
      ...needed,
      // A workspace that contains the installation, or is inside it, keeps its permissions.
      ...[surroundings.installation].filter((path) => !work.includes(path)),
    ],
    hidden: [
      ...privatePlaces(home),
      ...own.foreign,
      ...otherWorkspaces(workspace, git.writable, surroundings.workspaces),
      ...expand(settings.hide, home),
    ],
    neverSeen: [...surroundings.ownData, ...commandingSockets(shared).filter((path) => !needed.has(path))],
  }
}

/** An agent's edit of these is a proposed change; a check must not touch them at all. */
const OPERATORS_FILES = ['HEARTBEAT.md', 'pulseward.toml']

/**
 * Returns whether a check runs a system program that reads the outside world. A file where an agent can write is none, whatever its name,
 * nor is a link that leads to one. `writable`: the paths where it can.
 */
export function readsTheWorld(
  { program, words = [] }: Pick<Extract<Role, { kind: 'check' }>, 'program' | 'words'>,
  writable: readonly string[],
): boolean {
  const name = basename(program)
  if (placesOfProgram(name, '').length === 0 || (name === 'git' && !asksRemote(words))) return false
  if (!isAbsolute(program)) return !program.includes(sep)
  const names = [program, realPathOf(program)]
  const folders = [...writable, ...writable.map(realPathOf)]
  return !folders.some((folder) =>
    names.some((name) => name === folder || name.startsWith(join(folder, sep))),
  )
}

function realPathOf(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}

/** As variables name a socket: a path, `unix://` or `unix:path=` before it, and other words after it. */
const SOCKET = /^(?:unix:(?:\/\/|path=))?(\/[^,;:]*)/

/** Returns the real path of the socket that a variable's value leads to; `null` if there is none. */
function socketOf(value: string | undefined): string | null {
  try {
    const path = realpathSync.native(SOCKET.exec(value ?? '')?.[1] ?? '')
    return statSync(path).isSocket() ? path : null
  } catch {
    return null
  }
}

function placesOf(
  role: Role,
  writable: readonly string[],
  { preset }: ContainmentSettings,
  { home, environment }: Surroundings,
): OwnFolders & {
  /** The operator's files that the check reads. */
  readonly reads: readonly string[]
  readonly foreign: readonly string[]
} {
  if (role.kind === 'check') {
    const isOfSystem = readsTheWorld(role, writable)
    const reads = isOfSystem ? placesOfProgram(basename(role.program), home) : []
    return { ...NOTHING, reads, foreign: ownPlaces(null, home, environment).places }
  }
  if (role.kind === 'git')
    return { ...NOTHING, reads: [], foreign: ownPlaces(null, home, environment).places }
  const id = role.kind === 'agent' ? preset : role.preset
  const own = ownPlaces(id, home, environment)
  if (id !== null) makeFolders(own.places, home)
  return { ...own, reads: [], foreign: othersPlaces(id, home, environment) }
}

const NOTHING: OwnFolders = { places: [], logins: [], transcripts: [] }

/** System users may have no real home. */
function isFolderOfItsOwn(home: string): boolean {
  return isAbsolute(home) && join(home, sep) !== sep && existsSync(home)
}

/** A check's writes there are not needed later. */
function homeOf(
  role: Role,
  { places, logins, transcripts }: OwnFolders,
  { home, homes }: Surroundings,
): OwnHome {
  const isNeeded = homes !== undefined && (role.kind === 'agent' || role.kind === 'judge')
  const layers = isNeeded ? join(homes, `${process.pid}-${randomUUID()}`) : null
  return { folder: home, places, logins, transcripts, layers }
}

/**
 * Creates caches for programs that are installed but were never run: a layer needs a folder to cover. Homes of system users must
 * stay missing.
 */
function makeCaches(home: string, { PATH = '' }: NodeJS.ProcessEnv): void {
  if (!isAbsolute(home) || !existsSync(home)) return
  for (const [program, caches] of Object.entries(CACHES_OF)) {
    const missing = caches.map((path) => join(home, path)).filter((path) => !existsSync(path))
    if (missing.length > 0 && isOnPath(program, PATH)) makeFolders(missing, home)
  }
}

function isOnPath(program: string, path: string): boolean {
  return path.split(delimiter).some((folder) => isAbsolute(folder) && existsSync(join(folder, program)))
}

/** Creates a program's folders: one that was never run has none yet, and could not create them in a read-only home. */
function makeFolders(places: readonly string[], home: string): void {
  // `HOME` may end in a slash.
  const within = join(home, sep)
  for (const path of places) {
    if (within === sep || !path.startsWith(within) || basename(path).includes('.json')) continue
    try {
      mkdirSync(path, { recursive: true, mode: 0o700 })
    } catch {
      // The program will report what it lacks.
    }
  }
}

/** Returns the other workspaces, except those that share the repository: to git, hidden files are deleted. */
function otherWorkspaces(
  workspace: string,
  repository: readonly string[],
  workspaces: readonly string[],
): readonly string[] {
  const isShared = (path: string): boolean =>
    path === workspace || repository.some((folder) => path === folder || path.startsWith(folder + sep))
  return workspaces.filter((path) => !isShared(path) && !workspace.startsWith(path + sep))
}

function expand(paths: readonly string[], home: string): readonly string[] {
  return paths.map((path) => (path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : path))
}
