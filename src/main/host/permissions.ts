import { randomUUID } from 'node:crypto'
import { RequestProblem } from '../../api/request-problem.ts'
import type { LiveEvent } from '../../api/schemas/live-event.ts'
import { timestamp } from '../../core/pacing/schedule.ts'
import type { PermissionRequest } from '../../core/read-model/permission.ts'
import { quoteAgent } from '../../core/text/quote.ts'
import { CONFIRMATION, type PermissionAnswer } from '../../core/vocabulary/permission.ts'
import type { Clock } from '../ports/clock.ts'
import type { Notifier } from '../ports/notifier.ts'
import type { Operator, OperatorAnswer, OperatorQuestion } from '../ports/operator.ts'

export interface PermissionsOptions {
  readonly clock: Clock
  readonly notifier: Notifier
  readonly emit: (event: LiveEvent) => void
  /** True if anyone would answer: a desktop, a page, or the operator elsewhere. */
  readonly isAttended: (question: OperatorQuestion) => boolean
}

/** Where agents' questions wait for the operator's answer. */
export interface PermissionDesk extends Operator {
  /** Returns the waiting requests, oldest first, of one workspace or of all. */
  waiting(workspace: string | undefined): PermissionRequest[]
  /** Answers a request, just this once. Throws a `RequestProblem` if there is none, or it no longer waits. */
  answer(id: string, answer: PermissionAnswer): void
  /** Accepts no new requests, and expires those that wait. */
  stop(): void
}

interface Waiting {
  readonly request: PermissionRequest
  readonly settle: (answer: OperatorAnswer) => void
}

/** More than this at the same time are refused, because the agent is flooding. */
const MAX_WAITING = 20
/** How many answers are remembered, so that a second window can show what the first one answered. */
const MAX_SETTLED = 200

/**
 * Shows agents' requests to all viewers at the same time; the first answer counts. A request without an answer in time expires. Without a
 * viewer nothing is asked.
 */
export function createPermissions(options: PermissionsOptions): PermissionDesk {
  const { clock, notifier, emit, isAttended } = options
  const open = new Map<string, Waiting>()
  const settled = new Map<string, OperatorAnswer>()
  let isStopped = false

  const settle = (id: string, answer: OperatorAnswer): void => {
    const entry = open.get(id)
    if (entry === undefined) return
    open.delete(id)
    settled.set(id, answer)
    const [oldest] = settled.keys()
    if (settled.size > MAX_SETTLED && oldest !== undefined) settled.delete(oldest)
    entry.settle(answer)
    emit({ type: 'permissions-changed', workspace: entry.request.workspace })
  }

  return {
    ask: async (question, timeoutMs, signal) => {
      if (!isAttended(question)) return 'unattended'
      if (signal.aborted || isStopped) return 'expired'
      if (open.size >= MAX_WAITING) return 'denied'
      const request = requestOf(question, clock.nowMs(), timeoutMs)
      const answered = new Promise<OperatorAnswer>((resolve) => {
        open.set(request.id, { request, settle: resolve })
      })
      emit({ type: 'permissions-changed', workspace: request.workspace })
      notifier.notify(notificationOf(request))
      const over = new AbortController()
      const ended = AbortSignal.any([signal, over.signal])
      void clock.sleep(timeoutMs, ended).then(() => settle(request.id, 'expired'))
      try {
        return await answered
      } finally {
        over.abort()
      }
    },
    waiting: (workspace) =>
      [...open.values()]
        .map(({ request }) => request)
        .filter((request) => workspace === undefined || request.workspace === workspace),
    answer: (id, answer) => {
      if (open.has(id)) {
        settle(id, answer)
        return
      }
      const before = settled.get(id)
      if (before === undefined) {
        throw new RequestProblem('not-found', `There is no permission request ${JSON.stringify(id)}.`)
      }
      throw new RequestProblem(
        'conflict',
        before === 'expired'
          ? 'Its time is over: the agent was told no, or has ended.'
          : `It was ${before} already, in another window.`,
      )
    },
    stop: () => {
      isStopped = true
      for (const id of [...open.keys()]) settle(id, 'expired')
    },
  }
}

function requestOf(question: OperatorQuestion, nowMs: number, timeoutMs: number): PermissionRequest {
  const { workspaceId, workspaceName, attemptId, taskId, agentId, tool, target, title, grant, allow } =
    question
  return {
    id: randomUUID(),
    workspace: workspaceId,
    workspaceName,
    attemptId,
    taskId,
    agentId,
    tool,
    target,
    title,
    grant,
    allowLine: grant === null ? null : `allow = ${tomlList([...allow, grant])}`,
    askedAt: timestamp(nowMs, 'local'),
    expiresAt: timestamp(nowMs + timeoutMs, 'local'),
  }
}

/** Formats a TOML list. JSON strings are valid TOML basic strings, except for one character that only TOML requires to be escaped. */
function tomlList(entries: readonly string[]): string {
  return `[${entries.map((entry) => JSON.stringify(entry).replaceAll('\u007f', '\\u007f')).join(', ')}]`
}

function notificationOf({ id, workspace, workspaceName, taskId, agentId, tool, target }: PermissionRequest) {
  return {
    key: `permission:${id}`,
    about: 'permission' as const,
    workspaceId: workspace,
    taskId,
    permissionId: id,
    ...(tool === CONFIRMATION && { needsLook: true as const }),
    title: `${workspaceName}: ${agentId} asks for permission`,
    body: `${quoteAgent(tool, 40)}: ${quoteAgent(target, 200)}`,
  }
}
