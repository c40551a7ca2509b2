import { renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join, sep } from 'node:path'
import { SUPERVISOR_VARIABLE } from '../../core/vocabulary/supervisor-variable.ts'
import type { Containment, ContainmentPolicy, OwnHome, ProcessStart } from '../ports/containment.ts'
import { guarded, unguarded } from './guard.ts'
import { listeningSockets } from './listening-sockets.ts'
import { backEndOf, type FoundMeans, traitsOf } from './means.ts'
import { type HomeMaking, lookAt, type Mount, planMounts } from './mount-plan.ts'
import { PrivateHome } from './private-home.ts'
import { LEADING_VARIABLES } from './private-places.ts'
import { redactedCopy } from './redacted-copies.ts'
import { relayed } from './relay.ts'
import { placesHere } from './stage.ts'

/** Pulseward variables that a sandboxed process needs: the first two identify its descendants, the others let it report. */
const OUR_VARIABLES = new Set([
  'PULSEWARD_RUN',
  SUPERVISOR_VARIABLE,
  'PULSEWARD_REPORT_SOCKET',
  'PULSEWARD_REPORT_TOKEN',
])

/**
 * Creates the sandbox for one policy with what this machine has. `passed`: variables that the program keeps although they lead outside.
 * `onSetAside` receives the unwanted files that were found.
 */
export function createContainment(
  found: FoundMeans,
  policy: ContainmentPolicy,
  passed: readonly string[] = [],
  onSetAside: (path: string) => void = () => {},
  keepsHome = false,
): Containment {
  const own = policy.home === undefined ? null : new PrivateHome(policy.home)
  const setAsideAll = (): void => {
    for (const path of policy.unwanted ?? []) if (setAside(path)) onSetAside(path)
  }
  let mounts: readonly Mount[] | null = null
  return {
    means: found.means,
    canWrite: (path) => isWritable(mounts ?? planMounts(policy, []), path),
    sweep: () => {
      setAsideAll()
      own?.keep()
      if (!keepsHome) void own?.close()
    },
    close: async () => own?.close(),
    wrap: async (start) => {
      // From a run whose supervisor was killed.
      setAsideAll()
      const env = withinEnvironment(start.env, passed)
      const inside = networked(found, { ...start, env }, policy.network)
      const scratch = scratchFolders()
      // A second path to the home folder, where nothing is hidden.
      const uncovered = start.uncovered === undefined ? [] : [dirname(start.uncovered.at)]
      const neverSeen = [...policy.neverSeen, ...othersSockets(policy), ...uncovered]
      mounts = planMounts(
        { ...policy, neverSeen },
        scratch,
        shownOf(inside, scratch),
        lookAt,
        redactedCopy,
        own === null || policy.home === undefined ? null : makingOf(found, policy.home, own),
      ).map((mount) => overUncovered(mount, start))
      return { ...inside, command: backEndOf(found.means).wrap(found, inside, mounts, policy) }
    },
  }
}

function overUncovered(mount: Mount, { uncovered }: ProcessStart): Mount {
  const isCovered = mount.kind === 'layered' && mount.path === uncovered?.folder
  return isCovered ? { ...mount, lower: uncovered.at } : mount
}

/** Returns whether a file can be changed under these mounts: its content, or the target if it is a link. */
function isWritable(mounts: readonly Mount[], path: string): boolean {
  const name = join(realPathOf(dirname(path)), basename(path))
  return isWritableAt(mounts, realPathOf(path)) || isWritableAt(mounts, name)
}

/** The mount with the longest path decides; paths outside all mounts are read-only. */
function isWritableAt(mounts: readonly Mount[], path: string): boolean {
  const above = mounts.findLast((mount) => path === mount.path || path.startsWith(mount.path + sep))
  // Writes to another source never reach the file.
  return above?.kind === 'writable' && (above.source ?? above.path) === above.path
}

/** Returns the path with links resolved in its longest part that exists. */
function realPathOf(path: string): string {
  const parent = dirname(path)
  return lookAt(path)?.path ?? (parent === path ? path : join(realPathOf(parent), basename(path)))
}

function makingOf(found: FoundMeans, home: OwnHome, own: PrivateHome): HomeMaking {
  const { hasLayers, hasNamespaces } = traitsOf(found)
  return {
    home,
    hasLayers,
    layerOver: (path) => own.layerOver(path),
    // If a copy can't be mounted at its path, the program writes to the operator's files.
    copyOf: (path) => (hasNamespaces ? own.copyOf(path) : path),
    mounted: hasLayers ? placesHere().map(({ path }) => path) : [],
  }
}

/** Returns whether something was there. */
function setAside(path: string): boolean {
  try {
    renameSync(path, `${path}.set-aside`)
    return true
  } catch {
    return false
  }
}

/** Returns the listening sockets that this process must not use. */
function othersSockets({ writable, readable, held }: ContainmentPolicy): readonly string[] {
  const own = [...writable, ...readable, ...held]
  return listeningSockets().filter(
    (socket) => !own.some((path) => socket === path || socket.startsWith(path + sep)),
  )
}

/** Guards the start and sets its network: full, cut off, or behind a relay to the allowed hosts. */
function networked(
  found: FoundMeans,
  start: ProcessStart,
  network: ContainmentPolicy['network'],
): ProcessStart {
  const { guard, builder } = traitsOf(found)
  const begun = typeof network === 'object' ? { ...start, command: relayed(start, network) } : start
  if (guard === undefined) return builder === undefined ? begun : unguarded(begun, builder)
  // Abstract sockets belong to the network namespace.
  return guarded(begun, { ...guard, isScoped: guard.isScoped && network === 'all' })
}

/** Returns the folders that are writable and start empty for the process. */
function scratchFolders(): readonly string[] {
  const folders = process.platform === 'darwin' ? [tmpdir(), '/private/tmp'] : ['/tmp', '/var/tmp', tmpdir()]
  return [...new Set(folders.map((folder) => lookAt(folder)?.path).filter((path) => path !== undefined))]
}

/** Folders where other programs keep their sockets. */
const NOT_SHOWN = /^(?:\.|ssh-|tmux-|dbus-|systemd-private|snap-private|vscode-|runtime-)/

/**
 * Returns the folders directly in the temporary folder that contain something the start itself names (the program, its arguments, its
 * search path, a home folder in tests), to be shown read-only.
 */
function shownOf({ command, env, directory }: ProcessStart, scratch: readonly string[]): readonly string[] {
  const words = [
    ...command.map((word) => word.slice(word.indexOf('=/') + 1)),
    ...Object.values(env).flatMap((value) => value.split(delimiter)),
    directory,
  ]
  const shown = new Set<string>()
  for (const word of words) {
    const path = word.startsWith('/') && word.length < 4096 ? lookAt(word)?.path : undefined
    const folder = scratch.find((one) => path?.startsWith(one + sep))
    const name = folder === undefined ? undefined : path?.slice(folder.length + 1).split(sep)[0]
    if (name !== undefined && name !== '' && !NOT_SHOWN.test(name)) shown.add(`${folder}${sep}${name}`)
  }
  return [...shown]
}

/** A variable with a port of the work tree that the process runs in. */
const TREE_PORT = /^PULSEWARD_PORT_\d+$/

function withinEnvironment(
  env: Readonly<Record<string, string>>,
  passed: readonly string[],
): Record<string, string> {
  const leading = new Set(LEADING_VARIABLES.filter((name) => !passed.includes(name)))
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name]) =>
        !leading.has(name) &&
        (!name.startsWith('PULSEWARD_') || OUR_VARIABLES.has(name) || TREE_PORT.test(name)),
    ),
  )
}
