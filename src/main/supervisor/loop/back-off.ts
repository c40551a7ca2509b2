import { accountOf } from '../../../core/agents/account.ts'
import { backoffMinutes, momentInWords, timestamp } from '../../../core/pacing/schedule.ts'
import { usedOf } from '../../../core/record/budget.ts'
import type { AttemptResult } from '../../../core/record/events.ts'
import { isSameTrouble } from '../../../core/verification/same-trouble.ts'
import type { EnvironmentFault } from '../../../core/verification/types.ts'
import type { CycleContext } from '../cycle-context.ts'

/**
 * Records that the agent, or a gate, could not run, and how long it waits: one back-off step, or longer if the service says when it accepts
 * requests again (then the account is parked). Notifies the operator once, until the reason changes.
 */
export async function backOff(context: CycleContext, fault: EnvironmentFault): Promise<void> {
  const { ports, config } = context
  const before = ports.ledger.state.backoff
  const zone = config.heartbeat.timezone ?? 'local'
  const nowMs = ports.clock.nowMs()
  const leastMs = nowMs + backoffMinutes((before?.step ?? 0) + 1) * 60_000
  // Never earlier than the step: a service may announce a reset and then not accept requests.
  const untilMs = Math.max(fault.resetsAtMs ?? 0, leastMs)
  // A reset before the end of the step was announced earlier and turned out wrong, unless this is the first step.
  const isParked = fault.resetsAtMs !== undefined && (untilMs > leastMs || (before?.step ?? 0) === 0)
  await ports.ledger.append({
    type: 'backed-off',
    reason: fault.reason,
    remedy: fault.remedy,
    minutes: Math.round((untilMs - nowMs) / 6000) / 10,
    until: timestamp(untilMs, zone),
    resetsAt: isParked ? timestamp(untilMs, zone) : null,
    ...(fault.byGate && { byGate: fault.byGate }),
  })
  if (fault.resetsAtMs !== undefined) {
    // Even if it is over soon: otherwise every workspace on the account would run into the same limit.
    const account = accountOf(config.agent, ports.directory)
    ports.parking.park(account, ports.id, untilMs, fault.reason)
    if (isParked) return notifyParked(context, account, fault, untilMs)
  }
  // Already notified, unless it was parked until now; the back-off ends when the agent has run.
  if (before !== null && !before.isParked && isSameTrouble(before.reason, fault.reason)) return
  ports.notifier.notify({
    key: `environment:${ports.id}:${context.cycle}`,
    about: 'agentUnavailable',
    workspaceId: ports.id,
    // The same problem in other workspaces means the same service, login or disk.
    cause: fault.reason,
    title: `${ports.name}: ${fault.byGate ? 'a gate' : 'the agent'} could not run`,
    body: `${fault.reason} ${fault.remedy}`,
  })
}

/** Adds the tokens of these attempts to what the workspace has used of its account's window. */
export function countUsed({ ports, config }: CycleContext, results: readonly AttemptResult[]): void {
  const account = accountOf(config.agent, ports.directory)
  for (const { activity, tasksInRun } of results) {
    if (activity == null || activity.usage === null) continue
    const { tokens } = usedOf(activity.usage)
    if (tokens !== null) ports.parking.used(account, ports.id, tokens / tasksInRun)
  }
}

/** Whether the workspace has used the share of its account's window that `window_share` gives it; false if none is set. */
export function hasHadItsShare({ ports, config }: CycleContext): boolean {
  const { windowShare01 } = config.agent
  const account = accountOf(config.agent, ports.directory)
  return windowShare01 !== null && ports.parking.keeps(account, ports.id, windowShare01) !== null
}

/** A shorter wait is hardly noticed and not worth a notification. */
const SHORT_MS = 5 * 60_000

/** Sends one notification for all workspaces on the account, because there is nothing to do. */
function notifyParked(
  { ports, config }: CycleContext,
  account: string,
  fault: EnvironmentFault,
  untilMs: number,
): void {
  const nowMs = ports.clock.nowMs()
  if (untilMs - nowMs < SHORT_MS) return
  const until = momentInWords(untilMs, nowMs, config.heartbeat.timezone ?? 'local')
  ports.notifier.notify({
    key: `parked:${account}:${Math.round(untilMs / 60_000)}`,
    about: 'agentUnavailable',
    severity: 'info',
    workspaceId: ports.id,
    title: `${ports.name}: parked until ${until}`,
    body: `${fault.reason} It then resumes automatically. You don't need to do anything.`,
  })
}
