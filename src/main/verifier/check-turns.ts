import { availableParallelism } from 'node:os'
import { type Company, startNow, type WaitingCheck } from '../../core/judgement/side-by-side.ts'

/** A check that is about to run. */
export interface TurnRequest {
  /** Equal for the same check; used to look up how long it took. */
  readonly key: string
  readonly company: Company
  /** How many may run at the same time, as configured. */
  readonly limit: number
}

/** Lets the checks of one folder run concurrently, or one at a time. */
export interface CheckTurns {
  /** Runs `work` when core's rule lets it start. Settles like the work; a check inside a check would wait forever. */
  run<T>(request: TurnRequest, work: () => Promise<T>): Promise<T>
}

interface Waiting extends WaitingCheck {
  readonly start: () => void
}

export function createCheckTurns(cores: number = availableParallelism()): CheckTurns {
  const waiting: Waiting[] = []
  const running: Company[] = []
  const tookMs = new Map<string, number>()
  const startThose = (limit: number): void => {
    const places = new Set(startNow(waiting, running, Math.min(limit, cores)))
    const chosen = waiting.filter((_one, at) => places.has(at))
    for (const one of chosen) {
      waiting.splice(waiting.indexOf(one), 1)
      running.push(one.company)
      one.start()
    }
  }
  return {
    run: async ({ key, company, limit }, work) => {
      await new Promise<void>((start) => {
        waiting.push({ company, lastMs: tookMs.get(key) ?? null, start })
        // Wait until all checks requested at the same moment are queued before choosing the first.
        queueMicrotask(() => startThose(limit))
      })
      const begunMs = performance.now()
      try {
        return await work()
      } finally {
        tookMs.set(key, performance.now() - begunMs)
        running.splice(running.indexOf(company), 1)
        startThose(limit)
      }
    },
  }
}
