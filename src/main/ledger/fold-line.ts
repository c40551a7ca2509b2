import { applyEvent } from '../../core/record/fold.ts'
import type { WorkspaceState } from '../../core/record/state.ts'
import { type DecodedLine, readEvent } from './line.ts'

/**
 * The state after a line of the ledger. A line this version cannot use only moves `seq` on; `problem` says why, or is null
 * where a newer version wrote it.
 */
export function foldLine(
  state: WorkspaceState,
  line: DecodedLine,
): { readonly state: WorkspaceState; readonly problem: string | null } {
  const { event, problem } = readEvent(line)
  if (event === null) return { state: { ...state, seq: line.seq }, problem }
  try {
    return { state: applyEvent(state, event), problem: null }
  } catch (error) {
    // A bug of the fold must not make the rest of the history unreadable.
    const message = error instanceof Error ? error.message : String(error)
    return {
      state: { ...state, seq: line.seq },
      problem: `event ${event.type} could not be applied: ${message}`,
    }
  }
}
