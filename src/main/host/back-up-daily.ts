import { createBackup } from '../backup/create-backup.ts'
import { backupNames } from '../backup/manifest.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'

/** Delayed, because a start is busy enough; a supervisor that runs for less time than this has nothing new to lose. */
const FIRST_MS = 10 * 60_000
const HOUR_MS = 3_600_000

interface DailyBackups {
  readonly dataDirectory: string
  readonly version: string
  readonly clock: Pick<Clock, 'nowMs' | 'sleep'>
  readonly log: Log
}

/** Backs the record up once a day (UTC) while it is supervised, and keeps the latest few. Failures are logged, and retried in an hour. */
export function backUpDaily(parts: DailyBackups): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const running = (async () => {
    for (let waitMs = FIRST_MS; ; waitMs = HOUR_MS) {
      await parts.clock.sleep(waitMs, stopping.signal)
      if (stopping.signal.aborted) return
      await backUpIfDue(parts)
    }
  })().catch((error: unknown) => parts.log.error('Nothing is backed up any more', { error: String(error) }))
  return {
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

/** Makes one backup a day: none if the day already has one. */
export async function backUpIfDue({ dataDirectory, version, clock, log }: DailyBackups): Promise<void> {
  try {
    const nowMs = clock.nowMs()
    const today = new Date(nowMs).toISOString().slice(0, 10)
    const names = await backupNames(dataDirectory)
    if (names.some((name) => name.startsWith(today) && name.includes('-daily'))) return
    const { name, files, bytes } = await createBackup({ dataDirectory, version, nowMs, kind: 'daily' })
    log.info('Backed up', { name, files, bytes })
  } catch (error) {
    log.warn('The record could not be backed up', { error: String(error) })
  }
}
