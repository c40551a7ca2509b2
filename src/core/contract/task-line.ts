import { parser } from '@lezer/markdown'
import { DEFAULT_HINT, DEFAULT_MAX_ATTEMPTS, type TaskField } from './types.ts'

/** One field of a task line. Offsets count from the start of the line's content. */
export interface LineField {
  readonly kind: TaskField['kind']
  /** The field between its pipes, white space included. */
  readonly raw: string
  readonly from: number
  /** The field without surrounding white space. */
  readonly trimmedFrom: number
  readonly trimmedTo: number
  /** The trimmed field with `\|` as a plain pipe; only the value if the kind has one. */
  readonly value: string
}

/** The content of a task line after its checkbox. */
export interface TaskLine {
  readonly id: string
  readonly description: string
  readonly required: boolean
  /** `null` if the line has none. */
  readonly hint: string | null
  readonly maxAttempts: number
  readonly mayChange: readonly string[]
  readonly writesNoFiles: boolean
  /** The condition under which the task runs; `null` for always. */
  readonly when: string | null
  /** The model to request from the agent; `null` for the default. */
  readonly model: string | null
  readonly fields: readonly LineField[]
  /** Check fields after the first one, and `max_attempts` that are not a whole number of at least 1. */
  readonly furtherHints: readonly LineField[]
  readonly badMaxAttempts: readonly LineField[]
  /** Any `required` or `optional` field that follows the one that counts and contradicts it. */
  readonly contraryRequired: readonly LineField[]
  /** The field of the description, if it is blank. */
  readonly blankDescription: LineField | null
}

/** Lines up to this length are searched for code spans, which can take more than linear time. */
const MAX_LINE_WITH_CODE = 10_000

/** Pipes after this many fields become part of the last one, so that a line of only pipes does not become a million fields. */
const MAX_FIELDS = 100

const codeSpanParser = parser.configure({
  remove: ['Entity', 'HTMLTag', 'Emphasis', 'HardBreak', 'Link', 'Image'],
})
const codeSpanType = codeSpanParser.nodeSet.types.find((type) => type.name === 'InlineCode')?.id

/** Returns the id that a text stands for: trimmed, lower-cased, runs of white space as `_`. Empty for a blank text. */
export function slugify(text: string): string {
  return text.trim().toLowerCase().replace(/\s+/g, '_')
}

/**
 * Parses a task line after its checkbox: `id | Description | required | verify: check | max_attempts: N`, with `may_change:
 * GLOB` any number of times, `files: never`, `when: EXPR` and `model: NAME`. The first of two fields with the same meaning
 * counts. Accepts any text.
 */
export function readTaskLine(content: string): TaskLine {
  const fields = splitAtPipes(content).map((part, index) => classify(part, index))
  const [idField, descriptionField] = fields
  const hints = fields.filter((field) => field.kind === 'verify')
  const attempts = fields.filter((field) => field.kind === 'max-attempts')
  const [required, ...furtherRequired] = fields.filter((field) => field.kind === 'required')
  return {
    id: slugify(idField?.value ?? ''),
    description: (descriptionField ?? idField)?.value ?? '',
    required: required?.value.toLowerCase() !== 'optional',
    hint: hints[0]?.value ?? null,
    maxAttempts: readMaxAttempts(attempts[0]?.value ?? '') ?? DEFAULT_MAX_ATTEMPTS,
    mayChange: fields
      .filter(({ kind, value }) => kind === 'may-change' && value !== '')
      .map(({ value }) => value),
    writesNoFiles: fields.some(({ kind }) => kind === 'files'),
    when: firstOf(fields, 'when'),
    model: firstOf(fields, 'model'),
    fields,
    furtherHints: hints.slice(1),
    badMaxAttempts: attempts.filter((field) => readMaxAttempts(field.value) === null),
    contraryRequired: furtherRequired.filter(
      ({ value }) => value.toLowerCase() !== required?.value.toLowerCase(),
    ),
    blankDescription: descriptionField?.value === '' ? descriptionField : null,
  }
}

/** Returns the check of a task line: its own, or the default. */
export function hintOf(line: TaskLine): string {
  return line.hint ?? DEFAULT_HINT
}

/**
 * Escapes a value so that it stays one field: pipes become `\|`, except in code spans and in the operator `||`. A pipe after a
 * backslash is always escaped, because `\|` would swallow the backslash.
 */
export function escapePipes(value: string): string {
  let escaped = ''
  let at = 0
  for (const span of [...codeSpans(value), { from: value.length, to: value.length }]) {
    const outside = value.slice(at, span.from)
    escaped += outside.replace(/\\?\|+/g, (run) => {
      const pipes = run.replace('\\', '')
      const stays = pipes.length === run.length && pipes.length % 2 === 0
      return stays ? run : `${run.slice(0, run.length - pipes.length)}${'\\|'.repeat(pipes.length)}`
    })
    escaped += value.slice(span.from, span.to)
    at = span.to
  }
  return escaped
}

export interface Part {
  readonly raw: string
  readonly from: number
  readonly value: string
}

/** Returns the fields of a line, with `\|` as a plain pipe. Pipes in code spans and `||` don't separate fields. */
export function splitAtPipes(content: string): Part[] {
  const parts: Part[] = []
  const spans = codeSpans(content)
  // `\|` is a literal pipe and `||` an operator; neither ends the field.
  const pipes = /\\\||\|\||\|/g
  let from = 0
  let copiedTo = 0
  let value = ''
  let span = 0
  const endPart = (to: number) => {
    parts.push({ raw: content.slice(from, to), from, value: (value + content.slice(copiedTo, to)).trim() })
    value = ''
    from = copiedTo = to + 1
  }
  for (let match = pipes.exec(content); match !== null; match = pipes.exec(content)) {
    while ((spans[span]?.to ?? Number.POSITIVE_INFINITY) <= match.index) span++
    const code = spans[span]
    if (code !== undefined && code.from <= match.index) pipes.lastIndex = code.to
    else if (match[0] === '|') {
      if (parts.length < MAX_FIELDS - 1) endPart(match.index)
    } else if (match[0] === '\\|') {
      value += `${content.slice(copiedTo, match.index)}|`
      copiedTo = match.index + 2
    }
  }
  endPart(content.length)
  return parts
}

function classify({ raw, from, value }: Part, index: number): LineField {
  const blankBefore = raw.length - raw.trimStart().length
  const isBlank = blankBefore === raw.length
  // In a blank field, the position is after the first space, where a person would type.
  const trimmedFrom = from + (isBlank ? Math.min(1, raw.length) : blankBefore)
  const trimmedTo = isBlank ? trimmedFrom : from + raw.trimEnd().length
  const place = { raw, from, trimmedFrom, trimmedTo }
  if (index === 0) return { kind: 'id', ...place, value }
  if (index === 1) return { kind: 'description', ...place, value }
  if (/^(?:required|optional)$/i.test(value)) return { kind: 'required', ...place, value }
  const attempts = /^max_attempts\s*:(.*)$/is.exec(value)
  if (attempts !== null) return { kind: 'max-attempts', ...place, value: (attempts[1] ?? '').trim() }
  const glob = /^may_change\s*:(.*)$/is.exec(value)
  if (glob !== null) return { kind: 'may-change', ...place, value: unwrapCode((glob[1] ?? '').trim()) }
  const condition = /^when\s*:(.*)$/is.exec(value)
  if (condition !== null) return { kind: 'when', ...place, value: unwrapCode((condition[1] ?? '').trim()) }
  const model = /^model\s*:\s*([^\s-]\S*)$/i.exec(value)
  if (model !== null) return { kind: 'model', ...place, value: model[1] ?? '' }
  if (/^files\s*:\s*never$/i.test(value)) return { kind: 'files', ...place, value: 'never' }
  const hint = unwrapCode(value.replace(/^verify\s*:/i, '').trim())
  return { kind: hint === '' ? 'empty' : 'verify', ...place, value: hint }
}

function firstOf(fields: readonly LineField[], wanted: LineField['kind']): string | null {
  return fields.find(({ kind, value }) => kind === wanted && value !== '')?.value ?? null
}

function readMaxAttempts(value: string): number | null {
  const count = Number(value)
  return /^\d+$/.test(value) && Number.isSafeInteger(count) && count >= 1 ? count : null
}

/** Returns the code of a text that is a single code span; any other text unchanged. */
export function unwrapCode(value: string): string {
  const span = codeSpans(value)[0]
  if (span === undefined || span.from > 0 || span.to < value.length) return value
  const fence = /^`+/.exec(value)?.[0].length ?? 0
  return value.slice(fence, -fence).trim()
}

function codeSpans(text: string): { readonly from: number; readonly to: number }[] {
  if (!text.includes('`') || text.length > MAX_LINE_WITH_CODE) return []
  return codeSpanParser.parseInline(text, 0).filter((element) => element.type === codeSpanType)
}
