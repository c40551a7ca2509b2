import type { NotificationSubject } from '../../core/vocabulary/notification.ts'
import type { Severity } from '../../core/vocabulary/severity.ts'

export interface Notification {
  /** Notifications with the same key are shown once. */
  readonly key: string
  readonly about: NotificationSubject
  readonly title: string
  readonly body: string
  readonly workspaceId: string
  /** The request it is about, which can be answered in the notification itself. */
  readonly permissionId?: string
  /** True if it can be answered only on the page or in the app, where its subject is visible. */
  readonly needsLook?: true
  /** The task, if it is about a single one. */
  readonly taskId?: string
  /** Its severity, if that differs from its subject's; see `notificationSeverity`. */
  readonly severity?: Severity
  /** Its cause, if that causes others of the same subject: within a minute they are combined. */
  readonly cause?: string
  /** The channel that it is about, which doesn't get it. */
  readonly notBy?: string
}

export interface Notifier {
  notify(notification: Notification): void
}
