import type { TriggerKind } from '../../../core/vocabulary/heartbeat.ts'

export interface CycleTrigger {
  readonly trigger: TriggerKind
  /** ISO 8601; `null` if it was started by hand. */
  readonly dueAt: string | null
}
