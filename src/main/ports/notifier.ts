export interface Notification {
  /** The same key is shown once until it is cleared. */
  readonly key: string
  readonly title: string
  readonly body: string
  readonly workspaceId: string
}

export interface Notifier {
  notify(notification: Notification): void
}
