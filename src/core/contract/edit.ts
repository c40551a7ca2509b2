import { type ContractEdit, normaliseEdit } from './contract-edit.ts'
import { expectedMeaning, tasksMeaning } from './edit-meaning.ts'
import { contractWritings } from './edit-writings.ts'
import { parseContract, slugify } from './parse.ts'
import { MAX_CONTRACT_LENGTH, readStructure } from './structure.ts'
import type { Contract } from './types.ts'

export type { ContractEdit, FieldChange, NewTask } from './contract-edit.ts'

export type EditResult =
  | { readonly ok: true; readonly text: string }
  /** Nothing was edited; `reason` is a sentence that says why. */
  | { readonly ok: false; readonly reason: string }

/**
 * Returns the text with the edit applied, such that `parseContract` shows exactly the edit. Only the lines concerned change; line endings,
 * a byte order mark and a missing final newline are kept. Trims values and turns ids into slugs. Refuses an edit that would read back as
 * anything else. Never throws.
 */
export function applyEdit(text: string, edit: ContractEdit): EditResult {
  if (text.length > MAX_CONTRACT_LENGTH) return { ok: false, reason: 'The contract is too large to edit.' }
  const contract = parseContract(text)
  const normal = normaliseEdit(edit, slugify)
  const reason = findProblem(contract, normal)
  if (reason !== null) return { ok: false, reason }
  const expected = JSON.stringify(expectedMeaning(tasksMeaning(text, contract), normal))
  const context = readStructure(text).section === null ? /^\s*$/ : /^$/
  const written = contractWritings(text, contract, normal).find((candidate) => {
    const result = parseContract(candidate)
    // A new section is separated from the text before it. This may add blank lines to the context, and nothing else.
    const isContextKept =
      result.context.startsWith(contract.context) &&
      context.test(result.context.slice(contract.context.length))
    return isContextKept && JSON.stringify(tasksMeaning(candidate, result)) === expected
  })
  return written === undefined ? { ok: false, reason: UNWRITABLE[edit.kind] } : { ok: true, text: written }
}

const UNWRITABLE: Readonly<Record<ContractEdit['kind'], string>> = {
  add: 'This task cannot be written as one line here. Check its backticks and the lines around it.',
  remove: 'Removing this task would change the meaning of the lines around it. Edit the text instead.',
  move: 'Moving the task there would change the meaning of the lines around it. Edit the text instead.',
  toggle: 'Toggling this box would change the meaning of the lines around it. Edit the text instead.',
  set: 'This value cannot be written into the line: its backticks would pair with others there.',
}

function findProblem({ tasks }: Contract, edit: ContractEdit): string | null {
  const named = edit.kind === 'add' ? [edit.after] : edit.kind === 'move' ? [edit.task, edit.to] : [edit.task]
  if (named.some((index) => index !== undefined && tasks[index] === undefined)) {
    return 'This task is no longer in the contract.'
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
  if (id === '') return 'Enter an id for the task.'
  if (
    [description, verify, when, ...globs].some((value) => typeof value === 'string' && /[\r\n]/.test(value))
  ) {
    return 'A task must fit on one line. Remove the line breaks from the value.'
  }
  if (typeof model === 'string' && !/^[^\s-]\S*$/.test(model)) {
    return 'A model must be one word that does not begin with "-".'
  }
  if (typeof maxAttempts === 'number' && !(Number.isSafeInteger(maxAttempts) && maxAttempts >= 1)) {
    return 'max_attempts must be a whole number of at least 1.'
  }
  return null
}
