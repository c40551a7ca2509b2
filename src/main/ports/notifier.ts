import type { NotificationSubject } from '../../core/vocabulary/notification.ts'

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
}

export interface Notifier {
  notify(notification: Notification): void
}
