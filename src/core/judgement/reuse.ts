/*
 * When a check's answer may be reused instead of running the check again. An answer is taken after an agent has ended and may be used until
 * the next one starts, so what an agent left is always measured. Nothing here reads or stores anything.
 */

/** What a check reads, according to its configuration and its answer. */
export interface CheckReach {
  /** As configured. If omitted, a test report reads the tree, and anything else may read more than that. */
  readonly reads?: 'tree' | 'world' | undefined
  readonly isReport: boolean
}

/** Returns whether a check's answer depends only on the tree and what is watched outside it. */
export function readsTree({ reads, isReport }: CheckReach): boolean {
  return reads === undefined ? isReport : reads === 'tree'
}

/** Everything that decides the answer of a check that reads the tree. Equal texts mean equal state. */
export interface Surroundings {
  /** All files, including those that git ignores; `null`: not all of it could be read. */
  readonly tree: string | null
  /** Settings outside the tree that affect checks. */
  readonly outside: string
  /** The programs on PATH. */
  readonly tools: string
  /** The approved configuration, and our version. */
  readonly configuration: string
}

/** A kept answer, with the state that decided it. */
export interface KeptAnswer {
  readonly surroundings: Surroundings
  /** Command, settings and environment of the check. */
  readonly settings: string
  /** Monotonic ms. */
  readonly atMs: number
}

/** Answers expire after a day: some tests depend on the date. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000

export type Recall =
  | 'run'
  | 'reuse'
  /** Run it and compare the answers. */
  | 'compare'

/** Returns what to do with a check that may have a kept answer. `isDrawn`: it is one of the few that run anyway. */
export function recall(
  kept: KeptAnswer | undefined,
  now: KeptAnswer,
  { isDrawn, hasDiffered }: { readonly isDrawn: boolean; readonly hasDiffered: boolean },
): Recall {
  if (kept === undefined || hasDiffered) return 'run'
  if (now.atMs - kept.atMs >= MAX_AGE_MS) return 'run'
  if (kept.settings !== now.settings || !isSame(kept.surroundings, now.surroundings)) return 'run'
  return isDrawn ? 'compare' : 'reuse'
}

function isSame(one: Surroundings, other: Surroundings): boolean {
  return (
    one.tree !== null &&
    one.tree === other.tree &&
    one.outside === other.outside &&
    one.tools === other.tools &&
    one.configuration === other.configuration
  )
}

/** What happened while the checks of one attempt ran. */
export interface Measuring {
  /** Before the first check, after the agent ended. */
  readonly start: Omit<Surroundings, 'tree'>
  readonly end: Surroundings
  /** Files that changed in between, and whether git ignores them. */
  readonly changed: readonly { readonly path: string; readonly isIgnored: boolean }[]
}

/** Excludes the contract, because we update its boxes after an attempt. */
const WRITTEN_BY_US = new Set(['HEARTBEAT.md'])

/**
 * Returns whether answers taken during the checks describe the current state. Checks may leave ignored files, such as caches; if anything
 * else changed, they might answer differently now.
 */
export function mayKeep({ start, end, changed }: Measuring): boolean {
  return (
    isSame({ ...start, tree: end.tree }, end) &&
    changed.every(({ path, isIgnored }) => isIgnored || WRITTEN_BY_US.has(path))
  )
}

/** Each saved run costs three reads of the tree: after the agent, after the checks, and before the next agent. */
const LOOKS = 3
/** A check shorter than this costs less than deciding about it. */
const MIN_RUN_MS = 200

/** Returns whether reading the tree costs less than running a check that took this long. */
export function isWorthKeeping(ranMs: number, lookMs: number): boolean {
  return ranMs >= MIN_RUN_MS && ranMs > LOOKS * lookMs
}
