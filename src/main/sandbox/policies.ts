import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync } from 'node:fs'
import { basename, delimiter, isAbsolute, join, sep } from 'node:path'
import type { OwnFolders } from '../../core/agents/program.ts'
import type { PresetId } from '../../core/agents/programs.ts'
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

/** What of this machine a policy goes by. */
export interface Surroundings {
  readonly home: string
  readonly environment: NodeJS.ProcessEnv
  /** Pulseward's own: its data, seals and settings. */
  readonly ownData: readonly string[]
  /** Where Pulseward's program lies. */
  readonly installation: string
  /** The folders of all workspaces. */
  readonly workspaces: readonly string[]
  /** Where what agents write in the operator's home is put, until it goes; left out: in memory, and nothing is kept. */
  readonly homes?: string
}

/** What a workspace's configuration says about containment. */
export interface ContainmentSettings {
  readonly preset: PresetId | null
  /** Hidden beside the usual; `~/` is the home folder. */
  readonly hide: readonly string[]
  /** Writable beside the usual. */
  readonly writable: readonly string[]
  /** Inherited variables that are passed on by name. */
  readonly passed: readonly string[]
}

/** Who is to be contained. */
export type Role =
  | { readonly kind: 'agent' }
  /** A probe or a gate; `program`: the one it starts with. */
  | { readonly kind: 'check'; readonly program: string }
  | { readonly kind: 'judge'; readonly preset: PresetId | null }
  | { readonly kind: 'git' }

/**
 * The least that each needs: an agent its workspace, its repository, and what its program has of its own; a check
 * the same workspace, but for contract and configuration, and what its program reads the world with; a judge and
 * git look, and write nothing.
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
  const own = placesOf(role, workspace, settings, surroundings)
  const asked = role.kind === 'git' ? [] : expand(settings.writable, home)
  const shared = { ...environment }
  for (const name of settings.passed) delete shared[name]
  const needed = new Set(own.reads)
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
      ...own.reads,
      // A workspace that is the installation, or lies in it, stays what it is.
      ...[surroundings.installation].filter((path) => !work.includes(path)),
    ],
    hidden: [
      ...privatePlaces(home),
      ...own.foreign,
      ...otherWorkspaces(workspace, git.writable, surroundings.workspaces),
      ...expand(settings.hide, home),
    ],
    neverSeen: [
      ...surroundings.ownData,
      ...commandingSockets(shared).filter(
        (path) => !needed.has(path) && !isPassed(path, settings, environment),
      ),
    ],
  }
}

/** An agent's change of them is a proposal; a check has no business in them at all. */
const OPERATORS_FILES = ['HEARTBEAT.md', 'pulseward.toml']

/** Whether a check is made by a system program that reads the world, and runs nothing of the workspace. */
export function readsTheWorld(program: string, workspace: string): boolean {
  const isOfWorkspace = isAbsolute(program) ? program.startsWith(workspace + sep) : program.includes(sep)
  return !isOfWorkspace && placesOfProgram(basename(program), '').length > 0
}

/** A socket that was asked for by the name of its variable. */
function isPassed(path: string, { passed }: ContainmentSettings, environment: NodeJS.ProcessEnv): boolean {
  return passed.some((name) => environment[name] === path)
}

function placesOf(
  role: Role,
  workspace: string,
  { preset }: ContainmentSettings,
  { home, environment }: Surroundings,
): OwnFolders & {
  /** What it reads of the operator's. */
  readonly reads: readonly string[]
  readonly foreign: readonly string[]
} {
  if (role.kind === 'check') {
    const isOfSystem = readsTheWorld(role.program, workspace)
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

/** Of the system, some users have none. */
function isFolderOfItsOwn(home: string): boolean {
  return isAbsolute(home) && join(home, sep) !== sep && existsSync(home)
}

/** Of what a check writes nothing is needed any more. */
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
 * Of programs that are here and were never run: a layer needs something to lie over. Users of the system have homes that must not be there.
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

/** A program that was never run has no folders of its own yet, and could not make them in a home that is read-only. */
function makeFolders(places: readonly string[], home: string): void {
  // `HOME` may end in a slash.
  const within = join(home, sep)
  for (const path of places) {
    if (within === sep || !path.startsWith(within) || basename(path).includes('.json')) continue
    try {
      mkdirSync(path, { recursive: true, mode: 0o700 })
    } catch {
      // The program will say what it misses.
    }
  }
}

/** The other workspaces, but for those that share the repository: to git, what is hidden is deleted. */
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
