import { realpathSync, statSync } from 'node:fs'
import { dirname, sep } from 'node:path'
import type { ContainmentPolicy, OwnHome } from '../ports/containment.ts'
import type { Layer } from './private-home.ts'
import { redactedCopy } from './redacted-copies.ts'

/** What becomes of one path: everything else is read-only. */
export interface Mount {
  /**
   * `empty`: a folder with nothing in it; `blank`: a file with nothing in it; `scratch`: an empty folder to be
   * written to; `layered`: as it is, and what is written is kept apart.
   */
  readonly kind: 'layered' | 'writable' | 'read-only' | 'empty' | 'blank' | 'scratch'
  /** Absolute, free of links. */
  readonly path: string
  /** What is shown there instead. */
  readonly source?: string
  /** Where what is written over it is put; left out: in memory. */
  readonly layer?: Layer
}

/** How a home folder is made. */
export interface HomeMaking {
  readonly home: OwnHome
  /** Whether a layer can be laid over it; if not, its program works in copies of what it has of its own. */
  readonly hasLayers: boolean
  readonly layerOver: (path: string) => Layer | undefined
  /** `null`: there is none, and it is not written to. */
  readonly copyOf: (path: string) => string | null
  /** What else is mounted: a layer would hide what is mounted below. */
  readonly mounted: readonly string[]
}

/** What the file system says of a path: where it really is, and what; `null` where nothing is. */
export type Look = (path: string) => { readonly path: string; readonly isFolder: boolean } | null

/**
 * The mounts by which a policy comes true, in the order they are to be made: a folder before what lies in it, so
 * that the longest path decides. `scratch`: folders that are emptied for it; `shown`: what of them it needs to be
 * started at all. Of two words about the same path the more careful does not always win: what a program needs of
 * its own is hidden from others by name, and shown to it.
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
  /** Of what its program writes to in the place of the operator's. */
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

/** What cannot be read here is not shown. */
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

/** Nothing of what lies in a hidden folder needs hiding, unless something between the two is shown. */
function isHiddenAnyway(mount: Mount, all: readonly Mount[]): boolean {
  if (mount.kind !== 'empty' && mount.kind !== 'blank') return false
  for (let folder = dirname(mount.path); folder !== dirname(folder); folder = dirname(folder)) {
    const above = all.find(({ path }) => path === folder)
    if (above !== undefined) return above.kind === 'empty' || above.kind === 'scratch'
  }
  return false
}

/** A layer over a layer takes nothing that the one below does not. */
function isLayeredAnyway({ kind, path }: Mount, all: readonly Mount[]): boolean {
  if (kind !== 'layered') return false
  const above = all.filter((other) => path.startsWith(other.path + sep)).at(-1)
  return above?.kind === 'layered'
}

/** All is read-only that the plan does not name: only within what it changes does that have to be said again. */
function isReadOnlyAnyway(mount: Mount, all: readonly Mount[]): boolean {
  if (mount.kind !== 'read-only' || mount.source !== undefined) return false
  for (let folder = dirname(mount.path); folder !== dirname(folder); folder = dirname(folder)) {
    if (all.some(({ path, kind }) => path === folder && kind !== 'read-only')) return false
  }
  return true
}

/** What is really there; `null` also for what may not be looked at. */
export function lookAt(path: string): ReturnType<Look> {
  try {
    // The system's own: a hundred places are looked at for each process, and Node.js would ask for each folder on the way.
    const real = realpathSync.native(path)
    return { path: real, isFolder: statSync(real).isDirectory() }
  } catch {
    return null
  }
}
