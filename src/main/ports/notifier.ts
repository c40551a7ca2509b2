import type { NotificationSubject } from '../../core/vocabulary/notification.ts'
import type { Severity } from '../../core/vocabulary/severity.ts'

export interface Notification {
  /** The same key is shown once. */
  readonly key: string
  readonly about: NotificationSubject
  readonly title: string
  readonly body: string
  readonly workspaceId: string
  /** The request it is about, which can be answered from the notification itself. */
  readonly permissionId?: string
  /** It is answered on the page or in the app alone, where what it is about can be seen. */
  readonly needsLook?: true
  /** The task it is about, where it is about one alone. */
  readonly taskId?: string
  /** How grave it is where that is not what its subject is; see `notificationSeverity`. */
  readonly severity?: Severity
  /** What brought it about, where that brings about others of the same subject: within a minute they are one. */
  readonly cause?: string
  /** The channel that it is about, which is not notified by itself. */
  readonly notBy?: string
}

export interface Notifier {
  notify(notification: Notification): void
}
