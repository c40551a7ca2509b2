import type { NotificationSubject } from '../vocabulary/notification.ts'
import type { Severity } from '../vocabulary/severity.ts'

/** One notification to the operator, whatever the channel. */
export interface ChannelMessage {
  /** The same for every try to send it. */
  readonly id: string
  /** ISO 8601. */
  readonly at: string
  readonly about: NotificationSubject
  readonly severity: Severity
  readonly workspace: { readonly id: string; readonly name: string } | null
  readonly task: string | null
  readonly title: string
  readonly body: string
}
