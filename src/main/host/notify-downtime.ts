import { type ActiveHours, LATE_AFTER_MS, missedCount, momentInWords } from '../../core/pacing/schedule.ts'
import { waitsElsewhere } from '../../core/read-model/waits-elsewhere.ts'
import type { Notifier } from '../ports/notifier.ts'
import type { WorkspaceRuntime } from './workspace-runtime.ts'

/** What is needed of a workspace to tell whether it missed anything. */
export type MissingWorkspace = Pick<WorkspaceRuntime, 'name'> & {
  readonly ledger: {
    readonly state: Pick<WorkspaceRuntime['ledger']['state'], 'lastCycleAt'> &
      Partial<Pick<WorkspaceRuntime['ledger']['state'], 'heartbeats'>>
  }
  readonly zone?: () => string
  readonly loop: {
    readonly next: Pick<WorkspaceRuntime['loop']['next'], 'dueMs'>
    readonly standing: Pick<WorkspaceRuntime['loop']['standing'], 'intervalMinutes'>
    readonly config?: { readonly heartbeat: { readonly activeHours: ActiveHours | null } } | null
  }
}

/** Notifies once, at the start, of how long nothing ran and what was missed. Does nothing if no heartbeat was due. */
export function notifyDowntime(
  workspaces: readonly MissingWorkspace[],
  nowMs: number,
  notifier: Notifier,
): void {
  const missed = workspaces.flatMap(({ name, ledger, loop, zone }) => {
    const { dueMs } = loop.next
    if (ledger.state.lastCycleAt === null || dueMs === null || nowMs - dueMs <= LATE_AFTER_MS) return []
    if (waitsElsewhere({ heartbeats: [], ...ledger.state })) return []
    const activeHours = loop.config?.heartbeat.activeHours ?? null
    const hours = activeHours === null ? null : { activeHours, zone: zone?.() ?? 'local' }
    return [{ name, dueMs, count: missedCount(dueMs, nowMs, loop.standing.intervalMinutes, hours) }]
  })
  if (missed.length === 0) return
  const count = missed.reduce((sum, each) => sum + each.count, 0)
  const sinceMs = Math.min(...missed.map(({ dueMs }) => dueMs))
  const names = missed.map(({ name }) => name)
  const named =
    names.length <= 5 ? names.join(', ') : `${names.slice(0, 5).join(', ')} and ${names.length - 5} more`
  notifier.notify({
    key: `downtime:${sinceMs}`,
    about: 'trouble',
    // Missed heartbeats are made up for; there is nothing to do.
    severity: 'info',
    workspaceId: '',
    title: `Pulseward was not running: ${count} heartbeat${count === 1 ? ' was' : 's were'} missed`,
    body: `The first was due at ${momentInWords(sinceMs, nowMs, 'local')} (${named}). Each workspace catches up with one heartbeat now.`,
  })
}
