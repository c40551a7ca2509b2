import type { Settings } from '../../api/schemas/settings.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Notifier } from '../ports/notifier.ts'
import type { Updates } from '../ports/updates.ts'

/** Delayed, because a start is busy enough. */
const FIRST_MS = 5 * 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

interface Looking {
  readonly updates: Pick<Updates, 'status' | 'check'>
  readonly wanted: () => Settings['lookForUpdates']
  readonly notifier: Notifier
  readonly clock: Pick<Clock, 'nowMs' | 'sleep'>
  readonly log: Log
}

/**
 * Checks for newer versions as often as the setting says (never, unless the operator changed it), and notifies of each once. Installs
 * nothing.
 */
export function lookForUpdates(parts: Looking): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const running = (async () => {
    for (let waitMs = FIRST_MS; ; waitMs = HOUR_MS) {
      await parts.clock.sleep(waitMs, stopping.signal)
      if (stopping.signal.aborted) return
      await lookIfDue(parts)
    }
  })().catch((error: unknown) => parts.log.error('Stopped checking for updates', { error: String(error) }))
  return {
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

export async function lookIfDue({ updates, wanted, notifier, clock, log }: Looking): Promise<void> {
  const everyMs = { never: Number.POSITIVE_INFINITY, daily: DAY_MS, weekly: 7 * DAY_MS }[wanted()]
  try {
    const { feed, checkedAt } = await updates.status()
    if (feed === null || clock.nowMs() - Date.parse(checkedAt ?? '1970-01-01') < everyMs) return
    if (everyMs === Number.POSITIVE_INFINITY) return
    const { newer, version } = await updates.check()
    const [newest] = newer
    if (newest === undefined) return
    notifier.notify({
      key: `update-${newest.version}`,
      about: 'update',
      workspaceId: '',
      title: `Pulseward ${newest.version} is available`,
      body: `You run ${version}. See what is new in the settings, under Updates.`,
    })
  } catch (error) {
    log.warn('Could not check for updates', { error: String(error) })
  }
}
