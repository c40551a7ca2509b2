import type { ContractDiagnosticCode, ContractSeverity } from '../vocabulary/contract-diagnostic.ts'

/** One place in a text. `line` and `column` count from 1, `offset` from 0, all in UTF-16 code units. */
export interface SourcePosition {
  readonly line: number
  readonly column: number
  readonly offset: number
}

/** A half-open stretch of text: `end` is the first position after it. */
export interface SourceRange {
  readonly start: SourcePosition
  readonly end: SourcePosition
}

export interface Diagnostic {
  readonly severity: ContractSeverity
  readonly code: ContractDiagnosticCode
  /** One sentence: what is wrong and the remedy. */
  readonly message: string
  readonly range: SourceRange
}

/** A list item nested under a task: what has to be true for the task to be done. */
export interface AcceptanceCriterion {
  readonly text: string
  /** `null` where the item has no checkbox. */
  readonly checked: boolean | null
  /** Its own hint, without its `verify:` prefix; `null` where it has none. */
  readonly verify: string | null
  readonly line: number
  /** Its first line, from its marker to its end. */
  readonly range: SourceRange
  /** The hint with the pipe before it; `null` where it has none. */
  readonly hintRange: SourceRange | null
}

/** One field of a task line as it stands in the text. */
export interface TaskField {
  readonly kind:
    | 'id'
    | 'description'
    | 'required'
    | 'verify'
    | 'max-attempts'
    | 'may-change'
    | 'files'
    | 'when'
    | 'model'
    | 'empty'
  /** The field between its pipes, trimmed. */
  readonly range: SourceRange
}

/** One line `- [ ] id | Description | required | verify: hint | max_attempts: N` of the Tasks section. */
export interface TaskDefinition {
  /** Slug of the first field: trimmed, lower-cased, white space to `_`. Empty where the line has an `empty-id` error. */
  readonly id: string
  readonly description: string
  readonly required: boolean
  /** The hint, without its `verify:` prefix; `task_completed` where the line has none. */
  readonly verify: string
  /** Whole number ≥ 1; 3 where the line has none or a bad one. */
  readonly maxAttempts: number
  /** Globs of protected files and instruments that are this task's work, in the order of the line. */
  readonly mayChange: readonly string[]
  /** The line says that the task writes no files. */
  readonly writesNoFiles: boolean
  /** An expression over probes: where it does not hold, a heartbeat leaves the task alone. `null`: always tried. */
  readonly when: string | null
  /** The model that the agent is asked to use for it; `null`: as everywhere. */
  readonly model: string | null
  /** The box is checked in the file. */
  readonly checked: boolean
  readonly criteria: readonly AcceptanceCriterion[]
  /** Line of the task, from 1. */
  readonly line: number
  /** The task line itself, from its marker to its end without the line break. */
  readonly range: SourceRange
  /** The whole list item: task line, continuation lines and criteria. */
  readonly itemRange: SourceRange
  readonly fields: readonly TaskField[]
}

/** What a `HEARTBEAT.md` parses to. */
export interface Contract {
  /** All task lines in the order of the file, those with errors and duplicates included. */
  readonly tasks: readonly TaskDefinition[]
  /** Everything outside the Tasks section, verbatim (without a byte order mark). */
  readonly context: string
  readonly diagnostics: readonly Diagnostic[]
}

export const DEFAULT_HINT = 'task_completed'
export const DEFAULT_MAX_ATTEMPTS = 3
