import { realpathSync, statSync } from 'node:fs'
import { dirname, sep } from 'node:path'
import type { ContainmentPolicy } from '../ports/containment.ts'
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
  /** What is shown there instead, of a file that is read. */
  readonly source?: string
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
): readonly Mount[] {
  const plan = new Map<string, Mount['kind']>()
  const sources = new Map<string, string>()
  const enter = (paths: readonly string[], kindOf: (isFolder: boolean) => Mount['kind']): void => {
    for (const path of paths) {
      const found = look(path)
      if (found !== null && found.path !== sep) plan.set(found.path, kindOf(found.isFolder))
    }
  }
  const hide = (isFolder: boolean): Mount['kind'] => (isFolder ? 'empty' : 'blank')
  enter(policy.hidden, hide)
  enter(scratch, () => 'scratch')
  enter(shown, () => 'read-only')
  enter(policy.layered, (isFolder) => (isFolder ? 'layered' : 'read-only'))
  for (const path of policy.redacted) {
    const found = look(path)
    const copy = found === null || found.isFolder ? null : copyOrNothing(found.path, copyOf)
    if (found === null || copy === null) continue
    plan.set(found.path, 'read-only')
    sources.set(found.path, copy)
  }
  enter([...policy.writable, ...policy.held], () => 'writable')
  enter(policy.readable, () => 'read-only')
  enter(policy.neverSeen, hide)
  return [...plan]
    .map(([path, kind]): Mount => {
      const source = kind === 'read-only' ? sources.get(path) : undefined
      return source === undefined ? { path, kind } : { path, kind, source }
    })
    .sort((one, other) => depth(one.path) - depth(other.path) || (one.path < other.path ? -1 : 1))
    .filter((mount, _, all) => !isHiddenAnyway(mount, all) && !isReadOnlyAnyway(mount, all))
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
