import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { atMinute, localDay, localTime } from '../../core/pacing/schedule.ts'
import { dailyReport } from '../../core/read-model/day-report.ts'
import { writeFileAtomically } from '../files/durable-file.ts'
import type { Channels } from '../ports/channels.ts'
import { type Clock, LONGEST_SLEEP_MS } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { WorkspaceRuntime } from './workspace-runtime.ts'
import { workspaceView } from './workspace-views.ts'

export interface DailyReports {
  /** Reschedules, because the hour may have changed. */
  settingsChanged(): void
  stop(): Promise<void>
}

interface Reporting {
  readonly dataDirectory: string
  readonly clock: Pick<Clock, 'nowMs' | 'sleep'>
  readonly log: Log
  /** Returns the time of day as `HH:MM` in the machine's time zone; `null`: no report. */
  readonly at: () => string | null
  readonly channels: Pick<Channels, 'report'>
  /** Returns all workspaces, once they are open. */
  readonly workspaces: () => Promise<readonly WorkspaceRuntime[]>
}

/** The day of the last report. A host that was down at that hour sends it late, and one that restarts sends none twice. */
const MARK = 'reported-day'

/** Sends one report a day about all workspaces, at the hour in the settings. */
export function sendDailyReports(parts: Reporting): DailyReports {
  const { clock, log } = parts
  const stopping = new AbortController()
  let wake = new AbortController()
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const untilMs = await reportIfDue(parts).catch((error: unknown) => {
        log.error('The daily report could not be sent', { error: String(error) })
        return clock.nowMs() + LONGEST_SLEEP_MS
      })
      wake = new AbortController()
      const sleepMs = Math.min(untilMs - clock.nowMs(), LONGEST_SLEEP_MS)
      await clock.sleep(Math.max(sleepMs, 0), AbortSignal.any([wake.signal, stopping.signal]))
    }
  }
  const running = run()
  return {
    settingsChanged: () => wake.abort(),
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

/** Sends the report if it is due. Returns when to look again, in epoch ms. */
export async function reportIfDue(parts: Reporting): Promise<number> {
  const { clock, dataDirectory, at } = parts
  const nowMs = clock.nowMs()
  const dueMs = dueOn(nowMs, at())
  if (dueMs === null) return nowMs + LONGEST_SLEEP_MS
  if (dueMs > nowMs) return dueMs
  const today = localDay(nowMs, 'local')
  const path = join(dataDirectory, MARK)
  const last = await readFile(path, 'utf8').catch(() => null)
  if (last === null || last < today) {
    // Written first: losing a report is better than sending it again and again.
    await writeFileAtomically(path, today)
    // No report is due for the time before Pulseward first ran.
    if (last !== null) await report(parts)
  }
  return dueOn(localTime(nowMs, 'local').plus({ days: 1 }).toMillis(), at()) ?? nowMs + LONGEST_SLEEP_MS
}

function dueOn(ms: number, at: string | null): number | null {
  if (at === null) return null
  const [hour = 0, minute = 0] = at.split(':').map(Number)
  return atMinute(localTime(ms, 'local'), hour * 60 + minute).toMillis()
}

async function report({ clock, channels, workspaces }: Reporting): Promise<void> {
  const yesterday = localDay(localTime(clock.nowMs(), 'local').minus({ days: 1 }).toMillis(), 'local')
  const reported = (await workspaces()).map((runtime) => ({
    id: runtime.id,
    name: runtime.name,
    state: runtime.ledger.state,
    needs: workspaceView(runtime).needs,
  }))
  channels.report((ids) =>
    dailyReport(
      reported.filter(({ id }) => ids.length === 0 || ids.includes(id)),
      yesterday,
    ),
  )
}
