import type { HostStatus } from '../api/schemas/host.ts'
import type { WorkspaceDetail } from '../core/read-model/workspace.ts'
import { sayPace } from '../core/record/budget.ts'
import { needsInWords } from '../core/vocabulary/need.ts'
import { columns, duration, scoreLine, workspaceTime } from './format.ts'
import type { Output, Paint } from './output.ts'

/** Writes the answer of `status`, for both the full and the quick program. */
export function answerStatus(
  output: Output,
  detail: WorkspaceDetail,
  unopened: HostStatus['unopened'],
): void {
  const others = unopened.map(({ id, name, reason }) => ({ id, name, reason }))
  output.answer({ ...statusDocument(detail), unopened: others }, (paint) => [
    ...describeStatus(detail, paint, Date.now()),
    ...describeUnopened(others, paint),
  ])
}

function statusDocument(detail: WorkspaceDetail) {
  const { penalty, reward, intervalMinutes } = detail.score
  const rows = detail.tasks.map((task) => ({
    id: task.id,
    status: task.status,
    required: task.required,
    attempts: task.attempts,
    maxAttempts: task.maxAttempts,
    blocked: task.blocked,
    waiting: task.waiting,
    timeoutSeconds: task.timeoutSeconds,
    timeoutReason: task.timeoutReason,
    complexity: task.complexity,
    lastResult: task.lastResult,
  }))
  return {
    workspace: detail.id,
    path: detail.path,
    trust: detail.trust,
    paused: detail.paused,
    suspended: detail.suspended,
    running: detail.running,
    next: detail.next,
    standing: { penalty, reward, intervalMinutes, message: detail.standingMessage },
    score: detail.score,
    pace: detail.pace ?? null,
    counts: detail.counts,
    open: rows.filter((task) => !task.blocked && (task.status === 'pending' || task.status === 'failed')),
    blocked: rows.filter((task) => task.blocked),
    notices: detail.notices,
    needs: detail.needs,
  }
}

function describeStatus(detail: WorkspaceDetail, paint: Paint, nowMs: number): string[] {
  const { open, blocked, suspended } = statusDocument(detail)
  const taskRows = (tasks: typeof open): string[] =>
    columns(
      tasks.map((task) => [
        `  ${task.id}`,
        `attempt ${task.attempts} of ${task.maxAttempts}`,
        `timeout ${duration(task.timeoutSeconds * 1000)} (${task.timeoutReason})`,
        task.lastResult ?? '',
      ]),
    )
  return [
    `${paint('strong', detail.name)}  ${detail.path}`,
    `Score ${scoreLine(detail.score, paint)}${detail.standingMessage === '' ? '' : `. ${detail.standingMessage}`}`,
    ...(suspended === null
      ? []
      : [
          paint('bad', `Suspended since ${workspaceTime(suspended.since, nowMs)}: ${suspended.reason}.`),
          'Look at `pulseward interventions`, then `pulseward resume`.',
        ]),
    `Next heartbeat ${detail.next.at === null ? 'none' : workspaceTime(detail.next.at, nowMs)}: ${suspended === null ? detail.next.reason : 'suspended.'}`,
    ...(detail.pace == null ? [] : [`Used: ${sayPace(detail.pace)}.`]),
    `Open: ${open.length}`,
    ...taskRows(open),
    ...(blocked.length === 0 ? [] : [paint('bad', `Blocked: ${blocked.length}`), ...taskRows(blocked)]),
    ...describeNeeds(detail.needs, paint),
  ]
}

/** Describes what needs attention; counts the same as the app. */
function describeNeeds(needs: WorkspaceDetail['needs'], paint: Paint): string[] {
  if (needs.length === 0) return []
  return [
    paint('warning', `${needsInWords(needs.length)}:`),
    ...needs.map(({ action, reason }) => `  ${action}: ${reason}`),
  ]
}

/** Describes the other workspaces that could not be opened and so are not supervised. */
export function describeUnopened(
  unopened: readonly { readonly name: string; readonly reason: string }[],
  paint: Paint,
): string[] {
  return unopened.map(({ name, reason }) => paint('bad', `${name} could not be opened: ${reason}`))
}
