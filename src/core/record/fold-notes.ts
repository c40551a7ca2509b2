import type { NoteOrigin } from '../vocabulary/note.ts'
import { shorten } from './attempt-summary.ts'
import type { AttemptResult, EventOf } from './events.ts'
import type { Note } from './note.ts'
import type { WorkspaceState } from './state.ts'

const KEPT_NOTES = 100
export const MAX_NOTE_LENGTH = 2000

/** Adds a message from the operator for the agent's next prompt; adds none for an empty text. */
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

/** Removes the note with the reason that the operator gave at `at` for what is now undone, unless an agent has received it. */
export function takeReasonBack(
  state: WorkspaceState,
  given: { readonly from: NoteOrigin; readonly taskId: string; readonly at: string },
): WorkspaceState {
  const isGiven = ({ from, taskId, at, deliveredIn }: Note): boolean =>
    from === given.from && taskId === given.taskId && at === given.at && deliveredIn === null
  const notes = state.notes.filter((note) => !isGiven(note))
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

/** Marks notes as waiting again if the agent that got them could not run. */
export function takeNotesBack(state: WorkspaceState, result: AttemptResult): WorkspaceState {
  const { attemptId, verdict, fault } = result
  if (verdict !== null || fault !== 'environment') return state
  return change(state, (note) => (note.deliveredIn === attemptId ? { ...note, deliveredIn: null } : note))
}

/** Returns the notes that the next prompt about these tasks must contain, oldest first. */
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
