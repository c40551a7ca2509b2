import type { WorkspaceState } from '../record/state.ts'
import { SKIP_WORDS } from '../vocabulary/heartbeat.ts'

/** Returns whether the latest heartbeat was left to another host that holds the lease: then none was missed while this host was down. */
export function waitsElsewhere({ heartbeats }: Pick<WorkspaceState, 'heartbeats'>): boolean {
  const [latest] = heartbeats
  return latest?.state === 'skipped' && latest.detail.startsWith(SKIP_WORDS.elsewhere.title)
}
