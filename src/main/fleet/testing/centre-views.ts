import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createSimulatedClock, type SimulatedClock } from '../../testing/simulated-clock.ts'
import { temporaryFolder } from '../../testing/temporary-host.ts'
import { CentreStore } from '../centre-store.ts'
import { CentreViews } from '../centre-views.ts'

export const START_MS = Date.parse('2026-03-01T10:00:00.000Z')

export interface OpenedViews {
  readonly store: CentreStore
  readonly clock: SimulatedClock
  readonly views: CentreViews
  /** Returns the same views over a database that was deleted and rebuilt. */
  rebuilt(nowMs: number): Promise<OpenedViews>
}

/** Opens a center's views at `START_MS` over an empty database, which is removed with the test. */
export async function openViews(): Promise<OpenedViews> {
  const root = await temporaryFolder()
  const path = join(root, 'fleet.sqlite')
  const clock = createSimulatedClock(START_MS)
  let store = new CentreStore(path, START_MS)
  onTestFinished(async () => {
    store.close()
    await rm(root, { recursive: true, force: true })
  })
  const opened = (): OpenedViews => ({ store, clock, views: new CentreViews(store, clock), rebuilt })
  const rebuilt = async (nowMs: number): Promise<OpenedViews> => {
    store.close()
    await rm(path)
    store = new CentreStore(path, nowMs)
    return opened()
  }
  return opened()
}
