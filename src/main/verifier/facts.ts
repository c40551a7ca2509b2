import type { CheckFault } from '../../core/vocabulary/fault.ts'
/** A fact that an expression depends on: its value, or why it can't be found out. */
export type Fact<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false
      readonly reason: string
      readonly fault: CheckFault
      /** The command that gave no result. */
      readonly command?: string
      readonly lacksProgram?: true
    }

/**
 * The facts that expressions ask for, each found out once. CEL is evaluated synchronously (the only way to limit its time), so
 * asking for an unknown fact throws; then `findOut` finds it out, and the evaluation starts again. One fact at a time, from the
 * left, so that nothing is read, and no command run, that a short-circuit (`&&`, `||`) makes unnecessary.
 */
export interface Facts {
  /** Returns the fact named `key`; throws if it is not known yet or could not be found out. */
  ask<T>(key: string, find: () => Promise<Fact<T>>): T
  /** Forgets failed requests. Call it before each evaluation. */
  begin(): void
  /** The first fact asked for since `begin` that could not be found out. */
  readonly failure: Extract<Fact<never>, { ok: false }> | null
  /** Finds out the first unknown fact asked for since `begin`. False if there was none. */
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
