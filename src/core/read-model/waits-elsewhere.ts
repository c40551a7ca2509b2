import type { WorkspaceState } from '../record/state.ts'
import { SKIP_WORDS } from '../vocabulary/heartbeat.ts'

/** Whether the latest heartbeat was left to another host that has the lease: then none was missed while this one was down. */
export function waitsElsewhere({ heartbeats }: Pick<WorkspaceState, 'heartbeats'>): boolean {
  const [latest] = heartbeats
  return latest?.state === 'skipped' && latest.detail.startsWith(SKIP_WORDS.elsewhere.title)
}
