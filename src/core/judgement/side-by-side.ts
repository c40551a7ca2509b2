import { type CheckReach, readsTree } from './reuse.ts'

/*
 * Which checks may run at the same time in one folder. Two programs that write the same file or open the same port make each other fail,
 * and a check that was disturbed says something untrue of an agent. So only what is known to depend on files alone has company, and only
 * if the operator allows it. Nothing here decides a verdict: all checks that were asked about are run, whatever their order.
 */

/** What else may run while a check runs. */
export type Company =
  /** Anything: it reads a value, or a file. */
  | 'any'
  /** What also depends on files alone, as many as the operator allows. */
  | 'of-tree'
  /** Only what reads a value: it may build something, need a database, or use a port. */
  | 'none'

export interface RunningCheck extends CheckReach {
  readonly kind: 'probe' | 'gate' | 'command'
}

/** Returns what may run beside a check. */
export function companyOf({ kind, reads, isReport }: RunningCheck): Company {
  if (readsTree({ reads, isReport })) return 'of-tree'
  // A test report that depends on more than files, such as a database, runs alone.
  return kind === 'probe' && !isReport ? 'any' : 'none'
}

/** A check that waits for its turn. */
export interface WaitingCheck {
  readonly company: Company
  /** How long it took when it ran last; `null`: it is not known. */
  readonly lastMs: number | null
}

/**
 * Returns the places in `waiting`, which is in the order in which they were asked about, of those that start now. With `limit` 1 they run
 * in that order. With more, the longest starts first, but nothing overtakes a check that runs alone: a build comes before the
 * tests that were listed after it.
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

/** What never ran may take long. */
function expectedMs({ lastMs }: WaitingCheck): number {
  return lastMs ?? Number.MAX_VALUE
}

/**
 * Returns gates in the groups in which they run one after the other. Those of one group are asked about together, so that `startNow`
 * can choose among them.
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
