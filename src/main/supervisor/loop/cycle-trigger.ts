import type { TriggerKind } from '../../../core/vocabulary/heartbeat.ts'

export interface CycleTrigger {
  readonly trigger: TriggerKind
  /** ISO 8601; `null` if it was asked for by hand. */
  readonly dueAt: string | null
}
