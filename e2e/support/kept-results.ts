import type { ElectronApplication } from '@playwright/test'

/** The engine's message when it has lost the promise an inspector waits for. */
const COLLECTED = /promise was (?:garbage )?collected/iu

interface Call {
  readonly id: number
  readonly code: string
  readonly arg: unknown
}

/**
 * Makes sure that every evaluation in Electron's main process is answered. Until its next tick, the engine holds the promise that an
 * inspector waits for only weakly, even that of a plain value (fixed in V8 in July 2026, which is in no Electron yet): if it is garbage
 * collected, the answer is lost, though the work was done. So each result is kept in the process and fetched again from there; nothing is
 * done twice.
 */
export function keepResults(electron: ElectronApplication): void {
  const evaluate = electron.evaluate.bind(electron)
  let count = 0
  const kept = async (pageFunction: unknown, arg: unknown): Promise<unknown> => {
    const call: Call = { id: count++, code: String(pageFunction), arg }
    for (;;) {
      try {
        return await evaluate(runOnce, call)
      } catch (error) {
        if (!COLLECTED.test(String(error))) throw error
      }
    }
  }
  electron.evaluate = kept as ElectronApplication['evaluate']
}

/** Runs in the main process, so it can use nothing from this module. */
function runOnce(electron: unknown, { id, code, arg }: Call): unknown {
  const place = globalThis as { keptResults?: Map<number, unknown> }
  place.keptResults ??= new Map()
  const results = place.keptResults
  // biome-ignore lint/security/noGlobalEval: -- it is the test's own function, as Playwright sends it
  if (!results.has(id)) results.set(id, globalThis.eval(`(${code})`)(electron, arg))
  return results.get(id)
}
