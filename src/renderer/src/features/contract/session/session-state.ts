import type { Contract } from '../../../../../core/contract/types.ts'
import type { HintWorld } from '../editor/parsed-contract.ts'

/** The last known file, which the text in the editor is based on. */
export interface FileVersion {
  readonly text: string
  /** Sent back with the replacement text; empty if there is no file. */
  readonly hash: string
}

/** The file has changed while there is unsaved text. */
export interface Conflict {
  readonly base: FileVersion
  readonly theirs: FileVersion
}

export type ConflictChoice = 'mine' | 'theirs' | 'merged'

/** One workspace's contract while it is edited, as shown by the form, the list of problems and the buttons. */
export interface SessionState {
  readonly source: string
  readonly contract: Contract
  readonly world: HintWorld
  /** Index of the task with the cursor; `null` if it is in none. */
  readonly currentTask: number | null
  readonly isDirty: boolean
  readonly canUndo: boolean
  readonly canRedo: boolean
  readonly conflict: Conflict | null
  readonly saving: boolean
  /** Why the last read or write of the file failed; the text is still here. */
  readonly problem: string | null
  /** The file is not UTF-8: it is shown, but cannot be edited here without losing bytes. */
  readonly isReadOnly: boolean
  /** When the restored draft was made (epoch ms); `null` once that is no longer news. */
  readonly restoredAtMs: number | null
  /** The draft could not be stored: it is lost when the page is closed. */
  readonly isDraftUnkept: boolean
}

/** Decides what a new version of the file means for a text that is being edited. */
export function reconcile(
  base: FileVersion,
  mine: string,
  file: FileVersion,
): 'unchanged' | 'agrees' | 'take' | 'conflict' {
  if (file.text === mine) return 'agrees'
  if (file.hash === base.hash) return 'unchanged'
  return mine === base.text ? 'take' : 'conflict'
}
