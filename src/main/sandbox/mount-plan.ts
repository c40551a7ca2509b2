import { realpathSync, statSync } from 'node:fs'
import { dirname, sep } from 'node:path'
import type { ContainmentPolicy, OwnHome } from '../ports/containment.ts'
import type { Layer } from './private-home.ts'
import { redactedCopy } from './redacted-copies.ts'

/** How one path is mounted; all other paths are read-only. */
export interface Mount {
  /**
   * `empty`: an empty folder; `blank`: an empty file; `scratch`: an empty writable folder; `layered`: the real content, with
   * writes kept separately.
   */
  readonly kind: 'layered' | 'writable' | 'read-only' | 'empty' | 'blank' | 'scratch'
  /** Absolute, without links. */
  readonly path: string
  /** What is mounted there instead. */
  readonly source?: string
  /** Where writes to it go; if omitted, to memory. */
  readonly layer?: Layer
  /** Where the folder below a layer is found, if not at its path. */
  readonly lower?: string
}

/** How a home folder is set up. */
export interface HomeMaking {
  readonly home: OwnHome
  /** Whether a layer can be mounted over it; if not, its program works on copies. */
  readonly hasLayers: boolean
  readonly layerOver: (path: string) => Layer | undefined
  /** Returns `null` if there is no copy; then the folder is read-only. */
  readonly copyOf: (path: string) => string | null
  /** Other mounts, which a layer above them would hide. */
  readonly mounted: readonly string[]
}

/** Resolves a path: its real path and type; `null` if nothing is there. */
export type Look = (path: string) => { readonly path: string; readonly isFolder: boolean } | null

/**
 * Returns a policy's mounts in order: a folder before what is in it, so that the longest path wins. `scratch`: folders that start
 * empty; `shown`: what the start needs of them. The stricter of two rules for a path does not always win: what a program needs is
 * hidden from others by name, and shown to it.
 */
export function planMounts(
  policy: ContainmentPolicy,
  scratch: readonly string[],
  shown: readonly string[] = [],
  look: Look = lookAt,
  copyOf: (path: string) => string | null = redactedCopy,
  making: HomeMaking | null = null,
): readonly Mount[] {
  const plan = new Map<string, Mount['kind']>()
  const sources = new Map<string, string>()
  /** Copies of files that its program writes to instead of the operator's. */
  const copies = new Map<string, string>()
  const enter = (paths: readonly string[], kindOf: (isFolder: boolean) => Mount['kind']): void => {
    for (const path of paths) {
      const found = look(path)
      if (found !== null && found.path !== sep) plan.set(found.path, kindOf(found.isFolder))
    }
  }
  const enterHome = ({ home, hasLayers, copyOf: copied }: HomeMaking): void => {
    if (hasLayers) enter([home.folder], () => 'layered')
    for (const place of home.places) {
      const found = look(place)
      if (found === null) continue
      if (hasLayers) {
        if (found.isFolder) plan.set(found.path, 'layered')
        else plan.delete(found.path)
        continue
      }
      const copy = copied(found.path)
      plan.set(found.path, copy === null ? 'read-only' : 'writable')
      if (copy !== null) copies.set(found.path, copy)
    }
  }
  const hide = (isFolder: boolean): Mount['kind'] => (isFolder ? 'empty' : 'blank')
  if (making?.hasLayers === true) {
    const { home, mounted } = making
    enter(
      mounted.filter((path) => path.startsWith(home.folder + sep)),
      () => 'read-only',
    )
  }
  enter(policy.hidden, hide)
  enter(scratch, () => 'scratch')
  enter(shown, () => 'read-only')
  if (making !== null) enterHome(making)
  enter(policy.layered, (isFolder) => (isFolder ? 'layered' : 'read-only'))
  for (const path of policy.redacted) {
    const found = look(path)
    const copy = found === null || found.isFolder ? null : copyOrNothing(found.path, copyOf)
    if (found === null || copy === null) continue
    plan.set(found.path, 'read-only')
    sources.set(found.path, copy)
  }
  const asked = new Set(policy.writable.flatMap((path) => look(path)?.path ?? []))
  enter([...policy.writable, ...policy.held], () => 'writable')
  enter(policy.readable, () => 'read-only')
  enter(policy.neverSeen, hide)
  const shownAt = (path: string, kind: Mount['kind']): string | undefined => {
    if (kind === 'writable') return asked.has(path) ? undefined : copies.get(path)
    return kind === 'read-only' ? sources.get(path) : undefined
  }
  return [...plan]
    .map(([path, kind]): Mount => {
      const source = shownAt(path, kind)
      return source === undefined ? { path, kind } : { path, kind, source }
    })
    .sort((one, other) => depth(one.path) - depth(other.path) || (one.path < other.path ? -1 : 1))
    .filter(
      (mount, _, all) =>
        !isHiddenAnyway(mount, all) && !isReadOnlyAnyway(mount, all) && !isLayeredAnyway(mount, all),
    )
    .map((mount) => {
      const layer = mount.kind === 'layered' ? making?.layerOver(mount.path) : undefined
      return layer === undefined ? mount : { ...mount, layer }
    })
}

/** Anything that cannot be read here is not shown. */
function copyOrNothing(path: string, copyOf: (path: string) => string | null): string | null {
  try {
    return copyOf(path)
  } catch {
    return '/dev/null'
  }
}

function depth(path: string): number {
  return path.split(sep).length
}

/** Nothing in a hidden folder needs hiding, unless something in between is shown. */
function isHiddenAnyway(mount: Mount, all: readonly Mount[]): boolean {
  if (mount.kind !== 'empty' && mount.kind !== 'blank') return false
  for (let folder = dirname(mount.path); folder !== dirname(folder); folder = dirname(folder)) {
    const above = all.find(({ path }) => path === folder)
    if (above !== undefined) return above.kind === 'empty' || above.kind === 'scratch'
  }
  return false
}

/** A layer over a layer adds nothing. */
function isLayeredAnyway({ kind, path }: Mount, all: readonly Mount[]): boolean {
  if (kind !== 'layered') return false
  const above = all.filter((other) => path.startsWith(other.path + sep)).at(-1)
  return above?.kind === 'layered'
}

/** Everything outside the plan is read-only, so this only needs stating inside the plan's writable parts. */
function isReadOnlyAnyway(mount: Mount, all: readonly Mount[]): boolean {
  if (mount.kind !== 'read-only' || mount.source !== undefined) return false
  for (let folder = dirname(mount.path); folder !== dirname(folder); folder = dirname(folder)) {
    if (all.some(({ path, kind }) => path === folder && kind !== 'read-only')) return false
  }
  return true
}

/** Returns what is really there; `null` also for a path that may not be accessed. */
export function lookAt(path: string): ReturnType<Look> {
  try {
    // The native call: a hundred paths are resolved for each process, and Node.js would query every parent folder.
    const real = realpathSync.native(path)
    return { path: real, isFolder: statSync(real).isDirectory() }
  } catch {
    return null
  }
}
