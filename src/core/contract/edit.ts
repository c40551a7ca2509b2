import { type ContractEdit, normaliseEdit } from './contract-edit.ts'
import { expectedMeaning, tasksMeaning } from './edit-meaning.ts'
import { contractWritings } from './edit-writings.ts'
import { parseContract, slugify } from './parse.ts'
import { MAX_CONTRACT_LENGTH, readStructure } from './structure.ts'
import type { Contract } from './types.ts'

export type { ContractEdit, FieldChange, NewTask } from './contract-edit.ts'

export type EditResult =
  | { readonly ok: true; readonly text: string }
  /** Nothing was edited: `reason` says why, in a sentence. */
  | { readonly ok: false; readonly reason: string }

/**
 * The text with the edit made, such that `parseContract` shows exactly the edit. Only the lines concerned are changed;
 * line endings, a byte order mark and a missing final newline stay. Values are trimmed and ids made slugs. An edit that
 * would read back as anything else is refused. Throws for no text and no edit.
 */
export function applyEdit(text: string, edit: ContractEdit): EditResult {
  if (text.length > MAX_CONTRACT_LENGTH)
    return { ok: false, reason: 'The contract is too large to be edited.' }
  const contract = parseContract(text)
  const normal = normaliseEdit(edit, slugify)
  const reason = findProblem(contract, normal)
  if (reason !== null) return { ok: false, reason }
  const expected = JSON.stringify(expectedMeaning(tasksMeaning(text, contract), normal))
  const context = readStructure(text).section === null ? /^\s*$/ : /^$/
  const written = contractWritings(text, contract, normal).find((candidate) => {
    const result = parseContract(candidate)
    // A new section is set off from the text before it, which may add blank lines to the context, and nothing else.
    const isContextKept =
      result.context.startsWith(contract.context) &&
      context.test(result.context.slice(contract.context.length))
    return isContextKept && JSON.stringify(tasksMeaning(candidate, result)) === expected
  })
  return written === undefined ? { ok: false, reason: UNWRITABLE[edit.kind] } : { ok: true, text: written }
}

const UNWRITABLE: Readonly<Record<ContractEdit['kind'], string>> = {
  add: 'The task cannot be written as one line at this place: check its backticks, or the lines around it.',
  remove: 'The task cannot be removed without changing what the lines around it mean: edit the text instead.',
  move: 'The task cannot be moved there without changing what the lines around it mean: edit the text instead.',
  toggle: 'The box cannot be toggled without changing what the lines around it mean: edit the text instead.',
  set: 'The value cannot be written into this line: its backticks would join with others of the line.',
}

function findProblem({ tasks }: Contract, edit: ContractEdit): string | null {
  const named = edit.kind === 'add' ? [edit.after] : edit.kind === 'move' ? [edit.task, edit.to] : [edit.task]
  if (named.some((index) => index !== undefined && tasks[index] === undefined)) {
    return 'There is no such task in the contract any more.'
  }
  if (edit.kind === 'add') return findValueProblem(edit.task)
  if (edit.kind === 'set') return findValueProblem({ [edit.change.field]: edit.change.value })
  return null
}

function findValueProblem(values: {
  readonly id?: unknown
  readonly description?: unknown
  readonly verify?: unknown
  readonly maxAttempts?: unknown
  readonly mayChange?: unknown
  readonly when?: unknown
  readonly model?: unknown
}): string | null {
  const { id, description, verify, maxAttempts, mayChange, when, model } = values
  const globs: readonly unknown[] = Array.isArray(mayChange) ? mayChange : []
  if (id === '') return 'A task needs an id.'
  if (
    [description, verify, when, ...globs].some((value) => typeof value === 'string' && /[\r\n]/.test(value))
  ) {
    return 'A task is one line: take the line breaks out of the value.'
  }
  if (typeof model === 'string' && !/^[^\s-]\S*$/.test(model)) {
    return 'A model is one word that does not begin with "-".'
  }
  if (typeof maxAttempts === 'number' && !(Number.isSafeInteger(maxAttempts) && maxAttempts >= 1)) {
    return 'max_attempts has to be a whole number of at least 1.'
  }
  return null
}
