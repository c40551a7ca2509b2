import type { FieldChange, NewTask } from './contract-edit.ts'
import { escapePipes, type LineField, readTaskLine } from './task-line.ts'
import { DEFAULT_HINT, DEFAULT_MAX_ATTEMPTS } from './types.ts'

const KINDS = {
  required: 'required',
  verify: 'verify',
  maxAttempts: 'max-attempts',
  writesNoFiles: 'files',
  when: 'when',
  model: 'model',
} as const

/**
 * Returns the content of a task line (after its checkbox) with one field changed and the others verbatim. Returns several candidates,
 * plainest first: which of them reads back as intended depends on the backticks of the whole line.
 */
export function changeLine(content: string, change: FieldChange): readonly string[] {
  const { fields } = readTaskLine(content)
  const raws = fields.map((field) => field.raw)
  if (change.field === 'id') return [changeId(raws, fields, change.value)]
  if (change.field === 'description') return [changeDescription(raws, change.value)]
  if (change.field === 'mayChange') return [changeGlobs(raws, fields, change.value ?? [])]
  const kind = KINDS[change.field]
  const present = fields.flatMap((field, index) => (field.kind === kind ? [index] : []))
  if (present.length === 0 && isDefault(change)) return [content]
  const texts = fieldTexts(change)
  if (texts.length === 0) return [removeFields(raws, present)]
  const [first] = present
  return texts.map((text) => {
    if (first !== undefined) return raws.with(first, dress(raws, first, text)).join('|')
    // If the line's only field is both id and description, it must be written twice before another field can follow.
    const full = raws.length === 1 ? [`${raws[0]?.trimEnd()} `, ` ${raws[0]?.trim()}`] : raws
    return insertField(full, insertAt(fields, kind), text)
  })
}

/** Returns the candidates for the content of a new task's line, after its checkbox. */
export function newLine(task: NewTask): readonly string[] {
  const head = [escapePipes(task.id), escapePipes(task.description)]
  if (task.required !== undefined) head.push(task.required ? 'required' : 'optional')
  const attempts = task.maxAttempts === undefined ? [] : [`max_attempts: ${task.maxAttempts}`]
  const hints = task.verify === undefined ? [] : hintTexts(task.verify)
  const lines =
    hints.length === 0 ? [[...head, ...attempts]] : hints.map((hint) => [...head, hint, ...attempts])
  return lines.map((fields) => ` ${fields.join(' | ')}`.trimEnd())
}

function changeId(raws: readonly string[], fields: readonly LineField[], id: string): string {
  const raw = dress(raws, 0, escapePipes(id))
  const [only, ...others] = fields
  if (only === undefined || others.length > 0) return raws.with(0, raw).join('|')
  return [`${raw.trimEnd()} `, only.raw.trim() === '' ? '' : ` ${only.raw.trim()}`].join('|')
}

function changeDescription(raws: readonly string[], description: string): string {
  const text = escapePipes(description)
  if (raws.length > 1) return raws.with(1, dress(raws, 1, text)).join('|')
  return [`${raws[0]?.trimEnd()} `, text === '' ? '' : ` ${text}`].join('|')
}

/** Returns the line with these globs. Existing ones stay in place; new ones go at the end. */
function changeGlobs(
  raws: readonly string[],
  fields: readonly LineField[],
  globs: readonly string[],
): string {
  const present = fields.flatMap((field, index) => (field.kind === 'may-change' ? [index] : []))
  const values = present.map((index) => fields[index]?.value ?? '')
  const isKept = values.every((value, at) => globs[at] === value)
  const base = isKept ? raws.join('|') : removeFields(raws, present)
  const missing = isKept ? globs.slice(values.length) : globs
  if (missing.length === 0) return base
  const full = base.includes('|') || raws.length > 1 ? base : `${base.trimEnd()} | ${base.trim()}`
  return missing.reduce(
    (line, glob) => `${line}${/\s$/.test(line) ? '' : ' '}| may_change: ${escapePipes(glob)}`,
    full,
  )
}

type OptionChange = Exclude<FieldChange, { field: 'id' } | { field: 'description' } | { field: 'mayChange' }>

/** Returns whether a change sets the value that applies without the field. */
function isDefault({ field, value }: OptionChange): boolean {
  if (value === null) return true
  if (field === 'required') return value
  if (field === 'writesNoFiles') return !value
  if (field === 'when' || field === 'model') return false
  return value === (field === 'verify' ? DEFAULT_HINT : DEFAULT_MAX_ATTEMPTS)
}

/** Returns how a field may be written; empty if it is to be removed. */
function fieldTexts(change: OptionChange): readonly string[] {
  if (change.value === null) return []
  if (change.field === 'required') return [change.value ? 'required' : 'optional']
  if (change.field === 'writesNoFiles') return change.value ? ['files: never'] : []
  if (change.field === 'maxAttempts') return [`max_attempts: ${change.value}`]
  if (change.field === 'model') return [`model: ${change.value}`]
  return expressionTexts(change.field === 'when' ? 'when' : 'verify', change.value)
}

/** Returns a check verbatim, and in a code span with more backticks than any run in the text. */
function hintTexts(hint: string): readonly string[] {
  return expressionTexts('verify', hint)
}

function expressionTexts(prefix: 'verify' | 'when', hint: string): readonly string[] {
  const longest = (hint.match(/`+/g) ?? []).reduce((length, run) => Math.max(length, run.length), 0)
  const fence = '`'.repeat(longest + 1)
  return [`${prefix}: ${escapePipes(hint)}`, `${prefix}: ${fence} ${hint} ${fence}`]
}

/** Returns where to insert a field: after the description, or after the last field that usually comes before this kind. */
function insertAt(fields: readonly LineField[], kind: (typeof KINDS)[keyof typeof KINDS]): number {
  if (kind === 'max-attempts' || kind === 'files' || kind === 'when' || kind === 'model')
    return Math.max(2, fields.findLastIndex((field) => field.kind !== 'empty') + 1)
  if (kind === 'required') return 2
  return Math.max(2, fields.findLastIndex((field) => field.kind === 'required') + 1)
}

/** Returns a field's text with the white space used at its place, or one space, so that pipes never touch. */
function dress(raws: readonly string[], index: number, text: string): string {
  const raw = raws[index] ?? ''
  const before = raw.slice(0, raw.length - raw.trimStart().length) || ' '
  const after = raw.trim() === '' ? '' : raw.slice(raw.trimEnd().length)
  return `${before}${text}${after === '' && index < raws.length - 1 ? ' ' : after}`
}

function insertField(raws: readonly string[], index: number, text: string): string {
  if (index < raws.length) return raws.toSpliced(index, 0, ` ${text} `).join('|')
  const line = raws.join('|')
  return `${line}${/\s$/.test(line) ? '' : ' '}| ${text}`
}

function removeFields(raws: readonly string[], indexes: readonly number[]): string {
  const kept = raws.filter((_, index) => !indexes.includes(index))
  return (indexes.includes(raws.length - 1) ? kept.with(-1, kept.at(-1)?.trimEnd() ?? '') : kept).join('|')
}
