import { mkdirSync } from 'node:fs'
import { basename, join, sep } from 'node:path'
import type { OwnFolders } from '../../core/agents/program.ts'
import type { PresetId } from '../../core/agents/programs.ts'
import type { ContainmentPolicy } from '../ports/containment.ts'
import { gitPlaces } from './git-places.ts'
import {
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

/**
 * The least that each needs: an agent its workspace, its repository, and what its program has of its own; a check the same workspace, and
 * what its program reads the world with; a judge looks, and writes nothing.
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
  const own = placesOf(role, settings, surroundings)
  const asked = expand(settings.writable, home)
  const shared = { ...environment }
  for (const name of settings.passed) delete shared[name]
  const needed = new Set(own.readable)
  const isJudge = role.kind === 'judge'
  return {
    writable: [...(isJudge ? [] : work), ...own.writable, ...asked],
    layered: cachePlaces(home),
    redacted: settingPlaces(home),
    held: isJudge ? [] : git.held,
    readable: [
      ...(isJudge ? work : git.readable),
      ...own.readable,
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

/** A socket that was asked for by the name of its variable. */
function isPassed(path: string, { passed }: ContainmentSettings, environment: NodeJS.ProcessEnv): boolean {
  return passed.some((name) => environment[name] === path)
}

function placesOf(
  role: Role,
  { preset }: ContainmentSettings,
  { home, environment }: Surroundings,
): {
  readonly writable: readonly string[]
  readonly readable: readonly string[]
  readonly foreign: readonly string[]
} {
  if (role.kind === 'check') {
    const readable = placesOfProgram(basename(role.program), home)
    return { writable: [], readable, foreign: ownPlaces(null, home, environment).writable }
  }
  const id = role.kind === 'agent' ? preset : role.preset
  const own = ownPlaces(id, home, environment)
  if (id !== null) makeFolders(own, home)
  return { ...own, foreign: othersPlaces(id, home, environment) }
}

/** A program that was never run has no folders of its own yet, and could not make them in a home that is read-only. */
function makeFolders({ writable, readable }: OwnFolders, home: string): void {
  for (const path of writable) {
    if (!path.startsWith(home + sep) || basename(path).includes('.json') || readable.includes(path)) continue
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
