import type { CheckFault } from '../../core/vocabulary/fault.ts'
/** Something an expression asks of the world: found out, or why it cannot be. */
export type Fact<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false
      readonly reason: string
      readonly fault: CheckFault
      /** The command that was run and gave no answer. */
      readonly command?: string
    }

/**
 * What expressions ask of the world, each thing found out once. CEL is evaluated synchronously (only so can its time be
 * bounded), so asking for what is not known yet throws; then `findOut` goes and looks, and the evaluation starts anew. One
 * thing at a time, from the left: so nothing is looked at that a short-circuit (`&&`, `||`) makes superfluous, and no command
 * runs for it.
 */
export interface Facts {
  /** The fact named `key`; throws where it is not known yet or could not be found out. */
  ask<T>(key: string, find: () => Promise<Fact<T>>): T
  /** Forgets what was asked for in vain; to be called before each evaluation. */
  begin(): void
  /** The first thing asked since `begin` that could not be found out. */
  readonly failure: Extract<Fact<never>, { ok: false }> | null
  /** Finds out the first thing that was asked for since `begin` and not known. False where there was nothing. */
  findOut(): Promise<boolean>
}

export function createFacts(): Facts {
  const known = new Map<string, Fact<unknown>>()
  let wanted: { readonly key: string; readonly find: () => Promise<Fact<unknown>> } | null = null
  let failure: Facts['failure'] = null
  return {
    ask: <T>(key: string, find: () => Promise<Fact<T>>): T => {
      const fact = known.get(key)
      if (fact === undefined) {
        wanted ??= { key, find }
        throw new Error(`${key} is not known yet`)
      }
      if (fact.ok) return fact.value as T
      failure ??= fact
      throw new Error(fact.reason)
    },
    begin: () => {
      wanted = null
      failure = null
    },
    get failure() {
      return failure
    },
    findOut: async () => {
      if (wanted === null) return false
      known.set(wanted.key, await wanted.find())
      return true
    },
  }
}
