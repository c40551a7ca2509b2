import type { ContractDiagnosticCode, ContractSeverity } from '../vocabulary/contract-diagnostic.ts'

/** A position in a text. `line` and `column` count from 1, `offset` from 0, all in UTF-16 code units. */
export interface SourcePosition {
  readonly line: number
  readonly column: number
  readonly offset: number
}

/** A half-open range of text: `end` is the first position after it. */
export interface SourceRange {
  readonly start: SourcePosition
  readonly end: SourcePosition
}

export interface Diagnostic {
  readonly severity: ContractSeverity
  readonly code: ContractDiagnosticCode
  /** What is wrong and how to fix it. */
  readonly message: string
  readonly range: SourceRange
}

/** A list item nested under a task: something that must be true for the task to be done. */
export interface AcceptanceCriterion {
  readonly text: string
  /** `null` if the item has no checkbox. */
  readonly checked: boolean | null
  /** Its own check, without its `verify:` prefix; `null` if it has none. */
  readonly verify: string | null
  readonly line: number
  /** Its first line, from its marker to the end of the line. */
  readonly range: SourceRange
  /** The check with the pipe before it; `null` if it has none. */
  readonly hintRange: SourceRange | null
}

/** One field of a task line as written. */
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

/** One line `- [ ] id | Description | required | verify: check | max_attempts: N` of the Tasks section. */
export interface TaskDefinition {
  /** Slug of the first field: trimmed, lower-cased, white space as `_`. Empty if the line has an `empty-id` error. */
  readonly id: string
  readonly description: string
  readonly required: boolean
  /** The check, without its `verify:` prefix; `task_completed` if the line has none. */
  readonly verify: string
  /** Whole number ≥ 1; 3 if the line has none or an invalid one. */
  readonly maxAttempts: number
  /** Globs of protected files and check files that this task may change, in order. */
  readonly mayChange: readonly string[]
  /** True if the line says that the task writes no files. */
  readonly writesNoFiles: boolean
  /** An expression over probes. If it is false, a heartbeat skips the task. `null` if the task always runs. */
  readonly when: string | null
  /** The model to request from the agent; `null` for the default. */
  readonly model: string | null
  /** True if the box is checked in the file. */
  readonly checked: boolean
  readonly criteria: readonly AcceptanceCriterion[]
  readonly line: number
  /** The task line itself, from its marker to its end without the line break. */
  readonly range: SourceRange
  /** The whole list item: task line, continuation lines and criteria. */
  readonly itemRange: SourceRange
  readonly fields: readonly TaskField[]
}

/** The result of parsing a `HEARTBEAT.md`. */
export interface Contract {
  /** All task lines in file order, including those with errors and duplicates. */
  readonly tasks: readonly TaskDefinition[]
  /** Everything outside the Tasks section, verbatim (without a byte order mark). */
  readonly context: string
  readonly diagnostics: readonly Diagnostic[]
}

export const DEFAULT_HINT = 'task_completed'
export const DEFAULT_MAX_ATTEMPTS = 3
