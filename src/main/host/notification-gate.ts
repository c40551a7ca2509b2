import type { LiveEvent } from '../../api/schemas/live-event.ts'
import type { NotificationSettings } from '../../api/schemas/settings.ts'
import { quietUntil } from '../../core/pacing/quiet-hours.ts'
import { harmlessLine, harmlessText } from '../../core/text/harmless.ts'
import { masked } from '../../core/text/secrets.ts'
import { type Clock, LONGEST_SLEEP_MS } from '../ports/clock.ts'
import type { Notification, Notifier } from '../ports/notifier.ts'

/** How many keys are remembered as notified: a cycle has a handful. */
const MAX_NOTIFIED = 2_000
const ONE_CAUSE_MS = 60_000

/** Desktops show less, and chat services reject more. */
const MAX_TITLE = 200
const MAX_BODY = 4000

/** Filters notifications on their way to the operator. */
export interface NotificationGate extends Notifier {
  /** Call when the settings have changed: what was held back may be due now. */
  settingsChanged(): void
  /** Sends what was held back, so that nothing is lost on quit. */
  stop(): Promise<void>
}

/**
 * Passes each notification on once per key, unless its kind is turned off. Connected pages get it immediately. The operator's desktop gets
 * it after the quiet hours, with everything held back combined into one.
 */
export function createNotificationGate(options: {
  readonly notifier: Notifier
  readonly emit: (event: LiveEvent) => void
  readonly clock: Clock
  readonly settings: () => Pick<NotificationSettings, 'kinds' | 'quietHours'>
  /** Notifies the operator through other channels, which have their own rules. */
  readonly elsewhere?: Pick<Notifier, 'notify'>
}): NotificationGate {
  const { notifier, clock, settings } = options
  const notified = new Set<string>()
  /** When the desktop showed the first notification of a subject and cause, in epoch ms. */
  const causes = new Map<string, number>()
  const stopping = new AbortController()
  let held: Notification[] = []
  let wake = new AbortController()
  let waiting: Promise<void> | null = null

  const flush = (): void => {
    const all = held
    held = []
    const [only, ...others] = all
    if (only !== undefined) notifier.notify(others.length === 0 ? only : summaryOf(all))
  }
  /** True if the desktop has already shown one with the same cause within the last minute; the page shows each. */
  const isOfToldCause = ({ about, cause }: Notification): boolean => {
    if (cause === undefined) return false
    const nowMs = clock.nowMs()
    for (const [key, atMs] of causes) if (nowMs - atMs >= ONE_CAUSE_MS) causes.delete(key)
    const key = JSON.stringify([about, cause])
    if (causes.has(key)) return true
    causes.set(key, nowMs)
    return false
  }
  /** Sleeps until the quiet hours end, even if they are changed or the machine sleeps. */
  const waitForEnd = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const untilMs = quietUntil(clock.nowMs(), settings().quietHours, 'local')
      if (untilMs === null) break
      wake = new AbortController()
      const sleepMs = Math.min(untilMs - clock.nowMs(), LONGEST_SLEEP_MS)
      await clock.sleep(sleepMs, AbortSignal.any([wake.signal, stopping.signal]))
    }
    waiting = null
    flush()
  }
  return {
    notify: (given) => {
      const { key, about } = given
      // Masked, because it is shown on lock screens and to every connected page.
      const notification = {
        ...given,
        title: harmlessLine(masked(given.title), MAX_TITLE),
        body: harmlessText(masked(given.body), MAX_BODY),
      }
      if (notified.has(key)) return
      remember(notified, key)
      options.elsewhere?.notify(notification)
      if (!isTurnedOn(settings(), about)) return
      options.emit(eventOf(notification))
      if (isOfToldCause(notification)) return
      if (quietUntil(clock.nowMs(), settings().quietHours, 'local') === null)
        return notifier.notify(notification)
      // Don't hold a permission request until the morning: it will be over by then.
      if (about === 'permission') return
      held.push(notification)
      waiting ??= waitForEnd()
    },
    settingsChanged: () => wake.abort(),
    stop: async () => {
      stopping.abort()
      await waiting
    },
  }
}

function isTurnedOn({ kinds }: Pick<NotificationSettings, 'kinds'>, about: Notification['about']): boolean {
  return about === 'trouble' || about === 'permission' || (about !== 'report' && kinds[about])
}

/** Remembers a key as notified. Drops the oldest keys, because what they were about is long past. */
function remember(notified: Set<string>, key: string): void {
  notified.add(key)
  for (const oldest of notified) {
    if (notified.size <= MAX_NOTIFIED) return
    notified.delete(oldest)
  }
}

function eventOf({ about, workspaceId, taskId, title, body }: Notification): LiveEvent {
  return { type: 'notification', workspace: workspaceId, about, task: taskId ?? null, title, body }
}

/** Returns a summary that links to the one workspace that all are about, or to the overview. */
function summaryOf(all: readonly Notification[]): Notification {
  const workspaces = new Set(all.map(({ workspaceId }) => workspaceId))
  const titles = all.slice(0, 4).map(({ title }) => title)
  const more = all.length - titles.length
  return {
    key: `summary:${all.map(({ key }) => key).join(' ')}`,
    about: 'trouble',
    workspaceId: workspaces.size === 1 ? (all[0]?.workspaceId ?? '') : '',
    title: `${all.length} notifications came in the quiet hours`,
    body: `${titles.join('\n')}${more > 0 ? `\nand ${more} more` : ''}`,
  }
}
