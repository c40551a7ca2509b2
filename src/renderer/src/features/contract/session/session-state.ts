import type { Contract } from '../../../../../core/contract/types.ts'
import type { HintWorld } from '../editor/parsed-contract.ts'

/** The file as it was last known: what the text in the editor was made from. */
export interface FileVersion {
  readonly text: string
  /** Sent back with the text that is to take its place; empty if there is no file. */
  readonly hash: string
}

/** The file has changed under a text that is not saved. */
export interface Conflict {
  readonly base: FileVersion
  readonly theirs: FileVersion
}

export type ConflictChoice = 'mine' | 'theirs' | 'merged'

/** The contract of one workspace as it is being edited; what the form, the list of problems and the buttons show. */
export interface SessionState {
  readonly source: string
  readonly contract: Contract
  readonly world: HintWorld
  /** Index of the task that the cursor is in; `null` if it is in none. */
  readonly currentTask: number | null
  readonly isDirty: boolean
  readonly canUndo: boolean
  readonly canRedo: boolean
  readonly conflict: Conflict | null
  readonly saving: boolean
  /** Why the file could not be read or written the last time; the text is still here. */
  readonly problem: string | null
  /** The file is not UTF-8: it is shown, and cannot be edited here without losing bytes. */
  readonly isReadOnly: boolean
  /** When the draft that was found and shown again was made (epoch ms); `null` once that is no news. */
  readonly restoredAtMs: number | null
  /** The draft could not be kept: it is lost when the page is closed. */
  readonly isDraftUnkept: boolean
}

/** What a new version of the file means for a text that is being edited. */
export function reconcile(
  base: FileVersion,
  mine: string,
  file: FileVersion,
): 'unchanged' | 'agrees' | 'take' | 'conflict' {
  if (file.text === mine) return 'agrees'
  if (file.hash === base.hash) return 'unchanged'
  return mine === base.text ? 'take' : 'conflict'
}
