/*
 * When a check's answer may be used again instead of running the check. An answer is taken after an agent has ended, and may be used
 * until the next one starts: what an agent left is always measured. Nothing here reads or keeps anything.
 */

/** What a check reads, as far as its configuration and its answer tell. */
export interface CheckReach {
  /** As configured; left out: a test report reads the tree, everything else may read the world. */
  readonly reads?: 'tree' | 'world' | undefined
  readonly isReport: boolean
}

/** Returns whether the tree, and what is watched outside of it, decide what a check says. */
export function readsTree({ reads, isReport }: CheckReach): boolean {
  return reads === undefined ? isReport : reads === 'tree'
}

/** Everything that decides what a check that reads the tree says. Equal texts are equal things. */
export interface Surroundings {
  /** All files, those that git ignores included; `null`: not all of it could be looked at. */
  readonly tree: string | null
  /** Settings outside of the tree that steer checks. */
  readonly outside: string
  /** The programs on PATH. */
  readonly tools: string
  /** The approved configuration, and our version. */
  readonly configuration: string
}

/** An answer that is kept, with what decided it. */
export interface KeptAnswer {
  readonly surroundings: Surroundings
  /** Command, settings and environment of the check. */
  readonly settings: string
  /** Monotonic ms. */
  readonly atMs: number
}

/** After a day an answer is taken again: some tests know what day it is. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000

export type Recall =
  | 'run'
  | 'reuse'
  /** Run it, and compare. */
  | 'compare'

/** Returns what to do with a check for which an answer may be kept. `isDrawn`: it is among the few that run anyway. */
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

/** What happened around the checks of one attempt. */
export interface Measuring {
  /** Before the first check, after the agent had ended. */
  readonly start: Omit<Surroundings, 'tree'>
  readonly end: Surroundings
  /** Files that changed in between, and whether git ignores them. */
  readonly changed: readonly { readonly path: string; readonly isIgnored: boolean }[]
}

/** The contract: its boxes are settled after an attempt. */
const WRITTEN_BY_US = new Set(['HEARTBEAT.md'])

/**
 * Returns whether answers taken in the meantime describe what is there now. Checks may leave ignored files, such as caches; if anything
 * else changed, what they would say now is not known.
 */
export function mayKeep({ start, end, changed }: Measuring): boolean {
  return (
    isSame({ ...start, tree: end.tree }, end) &&
    changed.every(({ path, isIgnored }) => isIgnored || WRITTEN_BY_US.has(path))
  )
}

/** Looking at the tree takes three looks for each run that it saves: after the agent, after the checks, before the next agent. */
const LOOKS = 3
/** Below this, a check costs less than thinking about it. */
const MIN_RUN_MS = 200

/** Returns whether it costs less to look at the tree than to run a check that took this long. */
export function isWorthKeeping(ranMs: number, lookMs: number): boolean {
  return ranMs >= MIN_RUN_MS && ranMs > LOOKS * lookMs
}
