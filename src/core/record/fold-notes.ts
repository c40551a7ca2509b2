import type { NoteOrigin } from '../vocabulary/note.ts'
import { shorten } from './attempt-summary.ts'
import type { AttemptResult, EventOf } from './events.ts'
import type { Note } from './note.ts'
import type { WorkspaceState } from './state.ts'

const KEPT_NOTES = 100
export const MAX_NOTE_LENGTH = 2000

/** Keeps words of the operator's for the agent's next prompt; none if nothing was said. */
export function addNote(
  state: WorkspaceState,
  { seq, at }: { readonly seq: number; readonly at: string },
  said: { readonly text: string | null; readonly taskId: string | null; readonly from: NoteOrigin },
): WorkspaceState {
  const text = said.text?.trim() ?? ''
  if (text === '') return state
  const { taskId, from } = said
  const note: Note = {
    id: String(seq),
    at,
    text: shorten(text, MAX_NOTE_LENGTH),
    taskId,
    from,
    deliveredIn: null,
  }
  return { ...state, notes: [note, ...state.notes].slice(0, KEPT_NOTES) }
}

/** Takes back the reason of a refusal that was answered at `at`, unless the agent has been told. */
export function takeRefusalBack(state: WorkspaceState, taskId: string, at: string): WorkspaceState {
  const notes = state.notes.filter(
    (note) =>
      !(note.from === 'refusal' && note.taskId === taskId && note.at === at && note.deliveredIn === null),
  )
  return notes.length === state.notes.length ? state : { ...state, notes }
}

/** Marks the notes in an attempt's prompt as delivered. */
export function deliverNotes(
  state: WorkspaceState,
  { attemptId, notes = [] }: EventOf<'attempt-started'>,
): WorkspaceState {
  if (notes.length === 0) return state
  const said = new Set(notes)
  return change(state, (note) => (said.has(note.id) ? { ...note, deliveredIn: attemptId } : note))
}

/** What an agent was told that could not run waits again. */
export function takeNotesBack(state: WorkspaceState, result: AttemptResult): WorkspaceState {
  const { attemptId, verdict, fault } = result
  if (verdict !== null || fault !== 'environment') return state
  return change(state, (note) => (note.deliveredIn === attemptId ? { ...note, deliveredIn: null } : note))
}

/** The notes that the next prompt about these tasks has to hold, oldest first. */
export function waitingNotes(
  { notes }: Pick<WorkspaceState, 'notes'>,
  taskIds: readonly string[],
): readonly Note[] {
  return notes
    .filter(
      ({ deliveredIn, taskId }) => deliveredIn === null && (taskId === null || taskIds.includes(taskId)),
    )
    .toReversed()
}

function change(state: WorkspaceState, changed: (note: Note) => Note): WorkspaceState {
  return { ...state, notes: state.notes.map(changed) }
}
