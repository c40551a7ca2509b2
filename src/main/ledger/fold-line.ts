import type { RecordedEvent } from '../../core/record/events.ts'
import { applyEvent } from '../../core/record/fold.ts'
import type { WorkspaceState } from '../../core/record/state.ts'
import { type DecodedLine, readEvent } from './line.ts'

/**
 * Returns the state after a line of the ledger, and its event. A line this version cannot use only advances `seq` and has no
 * event; `problem` says why, or is null if a newer version wrote it.
 */
export function foldLine(
  state: WorkspaceState,
  line: DecodedLine,
): { readonly state: WorkspaceState; readonly problem: string | null; readonly event: RecordedEvent | null } {
  const { event, problem } = readEvent(line)
  if (event === null) return { state: { ...state, seq: line.seq }, problem, event }
  try {
    return { state: applyEvent(state, event), problem: null, event }
  } catch (error) {
    // A bug in the fold must not make the rest of the history unreadable.
    const message = error instanceof Error ? error.message : String(error)
    return {
      state: { ...state, seq: line.seq },
      problem: `event ${event.type} could not be applied: ${message}`,
      event,
    }
  }
}
