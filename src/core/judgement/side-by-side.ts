import { type CheckReach, readsTree } from './reuse.ts'

/*
 * Which checks may run at the same time in one folder. Two programs that write the same file or open the same port make each other fail,
 * and a disturbed check would say something untrue about an agent. So only checks known to depend on files alone run together, and only if
 * the operator allows it. This decides no verdict: every requested check is run, whatever the order.
 */

/** Which other checks may run while a check runs. */
export type Company =
  /** Any: it only reads a value or a file. */
  | 'any'
  /** Others that also depend on files alone, as many as the operator allows. */
  | 'of-tree'
  /** Only those that read a value: it may build something, need a database, or use a port. */
  | 'none'

export interface RunningCheck extends CheckReach {
  readonly kind: 'probe' | 'gate' | 'command'
}

/** Returns which checks may run beside this one. */
export function companyOf({ kind, reads, isReport }: RunningCheck): Company {
  if (readsTree({ reads, isReport })) return 'of-tree'
  // A test report that depends on more than files, such as a database, runs alone.
  return kind === 'probe' && !isReport ? 'any' : 'none'
}

/** A check that is waiting for its turn. */
export interface WaitingCheck {
  readonly company: Company
  /** Duration of its last run; `null` if unknown. */
  readonly lastMs: number | null
}

/**
 * Returns the indexes in `waiting` (in the order asked) of the checks that start now. With `limit` 1 they run in that order. With more, the
 * longest starts first, but nothing overtakes a check that runs alone: a build comes before the tests listed after it.
 */
export function startNow(
  waiting: readonly WaitingCheck[],
  running: readonly Company[],
  limit: number,
): readonly number[] {
  const places = [...waiting.keys()]
  const free = places.filter((at) => waiting[at]?.company === 'any')
  return [...free, ...nextOfOthers(waiting, running, limit)]
}

function nextOfOthers(
  waiting: readonly WaitingCheck[],
  running: readonly Company[],
  limit: number,
): readonly number[] {
  const others = [...waiting.entries()].filter(([, { company }]) => company !== 'any')
  const busy = running.filter((company) => company !== 'any')
  const [first] = others
  if (first === undefined || busy.includes('none')) return []
  const [place, { company }] = first
  if (company === 'none') return busy.length === 0 ? [place] : []
  const barrier = others.findIndex(([, one]) => one.company === 'none')
  const group = barrier < 0 ? others : others.slice(0, barrier)
  const ordered = limit > 1 ? group.toSorted(([, a], [, b]) => expectedMs(b) - expectedMs(a)) : group
  return ordered.slice(0, Math.max(0, Math.max(1, limit) - busy.length)).map(([at]) => at)
}

/** Returns the last run's duration; a check that never ran may take long. */
function expectedMs({ lastMs }: WaitingCheck): number {
  return lastMs ?? Number.MAX_VALUE
}

/**
 * Returns gates in groups that run one after the other. The gates of a group are asked about together, so that `startNow` can choose among
 * them.
 */
export function gateGroups<Gate extends { readonly company: Company }>(
  gates: readonly Gate[],
  limit: number,
): readonly (readonly Gate[])[] {
  const groups: Gate[][] = []
  for (const gate of gates) {
    const last = groups.at(-1)
    const joins = limit > 1 && gate.company === 'of-tree' && last?.[0]?.company === 'of-tree'
    if (joins) last?.push(gate)
    else groups.push([gate])
  }
  return groups
}
