import { isBlocked } from '../../../core/cycle/progress.ts'
import { lockdownMessage } from '../../../core/read-model/lockdown-message.ts'
import type { AttemptResult } from '../../../core/record/events.ts'
import { resolveStanding } from '../../../core/scoring/standing.ts'
import { sentence } from '../../../core/text/sentence.ts'
import type { CycleContext } from '../cycle-context.ts'
import type { WorkspacePorts } from '../workspace-ports.ts'

/*
 * What the operator is notified about at the end of a cycle. Each notification is sent when its cause starts, not while it lasts; if the
 * cause ends and starts again, it is sent again, even after a restart.
 */

/** Notifies that the score fell into lockdown during this cycle. */
export function notifyLockdown({ ports, config, cycle, standing: before }: CycleContext): void {
  const { state } = ports.ledger
  const standing = resolveStanding(state.score, state.rules, config.heartbeat.intervalMinutes)
  if (standing.penalty !== 'lockdown' || before.penalty === 'lockdown') return
  ports.notifier.notify({
    key: `lockdown:${ports.id}:${cycle}`,
    about: 'lockdown',
    workspaceId: ports.id,
    ...lockdownMessage(ports.name, state, standing),
  })
}

/** Notifies which tasks have used up their last attempt in this cycle, all in one notification. */
export function notifyBlocked({ ports, cycle }: CycleContext, attempts: readonly AttemptResult[]): void {
  const { tasks } = ports.ledger.state.progress
  const blocked = [...new Set(attempts.map(({ taskId }) => taskId))].filter((id) => {
    const task = Object.hasOwn(tasks, id) ? tasks[id] : undefined
    return task !== undefined && isBlocked(task)
  })
  const [first, ...others] = blocked
  if (first === undefined) return
  ports.notifier.notify({
    key: `blocked:${ports.id}:${cycle}`,
    about: 'blockedTask',
    workspaceId: ports.id,
    ...(others.length === 0 ? { taskId: first } : {}),
    title:
      others.length === 0
        ? `${ports.name}: ${first} is blocked`
        : `${ports.name}: ${blocked.length} tasks are blocked`,
    body:
      others.length === 0
        ? `It has no attempts left. Last: ${sentence(attempts.findLast(({ taskId }) => taskId === first)?.reasons[0] ?? 'not verified')} Unblock it, or correct its check.`
        : `They have no attempts left: ${blocked.slice(0, 5).join(', ')}${blocked.length > 5 ? ` and ${blocked.length - 5} more` : ''}. Unblock them, or correct their checks.`,
  })
}

/** Notifies that work is held for review. */
export function notifyHeld(
  { id, name, notifier }: WorkspacePorts,
  { attemptId, taskId, reasons }: AttemptResult,
): void {
  notifier.notify({
    key: `held:${id}:${attemptId}`,
    about: 'heldWork',
    workspaceId: id,
    taskId,
    title: `${name}: ${taskId} is held for your review`,
    body: `${sentence(reasons[0] ?? 'No points yet.')} Accept or refuse it.`,
  })
}
