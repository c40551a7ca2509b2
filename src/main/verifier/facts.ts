/** Something an expression asks of the world: found out, or why it cannot be. */
export type Fact<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: string; readonly fault: 'contract' | 'environment' }

/**
 * What expressions ask of the world, each thing found out once. CEL is evaluated synchronously (only so can its time be
 * bounded), so asking for what is not known yet throws; then `findOut` goes and looks, and the evaluation starts anew. What a
 * short-circuit (`||`, `&&`) leaves unasked is never looked at: no command runs for it.
 */
export interface Facts {
  /** The fact named `key`; throws where it is not known yet or could not be found out. */
  ask<T>(key: string, find: () => Promise<Fact<T>>): T
  /** Forgets what was asked for in vain; to be called before each evaluation. */
  begin(): void
  /** The first thing asked since `begin` that could not be found out. */
  readonly failure: Extract<Fact<never>, { ok: false }> | null
  /** Finds out what was asked for since `begin` and not known. False where there was nothing. */
  findOut(): Promise<boolean>
}

export function createFacts(): Facts {
  const known = new Map<string, Fact<unknown>>()
  const wanted = new Map<string, () => Promise<Fact<unknown>>>()
  let failure: Facts['failure'] = null
  return {
    ask: <T>(key: string, find: () => Promise<Fact<T>>): T => {
      const fact = known.get(key)
      if (fact === undefined) {
        wanted.set(key, find)
        throw new Error(`${key} is not known yet`)
      }
      if (fact.ok) return fact.value as T
      failure ??= fact
      throw new Error(fact.reason)
    },
    begin: () => {
      wanted.clear()
      failure = null
    },
    get failure() {
      return failure
    },
    findOut: async () => {
      const entries = [...wanted]
      await Promise.all(entries.map(async ([key, find]) => known.set(key, await find())))
      return entries.length > 0
    },
  }
}
