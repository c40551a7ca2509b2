import type { NotificationSubject } from '../vocabulary/notification.ts'

/** What the operator can answer from a notification, without opening the page. */
export type Answer =
  | { readonly kind: 'allow' | 'deny'; readonly permissionId: string }
  | { readonly kind: 'unblock'; readonly workspace: string; readonly task: string }
  | { readonly kind: 'pause'; readonly workspace: string }

/** The label of the button. */
export const ANSWER_LABELS: Readonly<Record<Answer['kind'], string>> = {
  allow: 'Allow once',
  deny: 'Deny',
  unblock: 'Unblock',
  pause: 'Pause',
}

/** The text shown after the button was pressed. */
export const ANSWER_DONE: Readonly<Record<Answer['kind'], string>> = {
  allow: 'Allowed once.',
  deny: 'Denied.',
  unblock: 'Unblocked. The task has its attempts again.',
  pause: 'Paused until you resume it.',
}

interface Notified {
  readonly about: NotificationSubject
  readonly workspaceId: string
  readonly taskId?: string
  readonly permissionId?: string
  readonly needsLook?: true
}

/** Subjects about which a pause would change nothing. */
const NOTHING_TO_PAUSE: readonly NotificationSubject[] = ['suspension', 'report', 'update']

/** Returns the answers that fit, likeliest first, at most two: ntfy shows three buttons, and one of them opens the page. Pure. */
export function answersTo({ about, workspaceId, taskId, permissionId, needsLook }: Notified): Answer[] {
  if (workspaceId === '' || needsLook === true) return []
  if (permissionId !== undefined) {
    return [
      { kind: 'allow', permissionId },
      { kind: 'deny', permissionId },
    ]
  }
  const pause: Answer = { kind: 'pause', workspace: workspaceId }
  if (about === 'blockedTask' && taskId !== undefined)
    return [{ kind: 'unblock', workspace: workspaceId, task: taskId }, pause]
  return NOTHING_TO_PAUSE.includes(about) ? [] : [pause]
}
