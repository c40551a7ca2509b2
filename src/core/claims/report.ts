import { z } from 'zod'
import type { ClaimStatus } from '../vocabulary/task.ts'
import { parseFileReference, splitReferences } from './file-reference.ts'
import { deniesWriting, namesNoFile, pathsOf } from './reported-files.ts'
import { statusOf } from './status-word.ts'
import { findAdmission, isNoneLeft, settleClaim, withoutCompletion } from './taken-back.ts'
import { namedTask } from './task-name.ts'
import type { Claim, FileReference, JsonValue } from './types.ts'

/** One entry of a report, not yet tied to a task. */
export interface ReportEntry {
  /** The id as written; null if the entry names none. */
  readonly taskId: string | null
  readonly claim: Claim
}

/** Limits of one entry. Agents write the reports, so their size can't be trusted. */
const MAX_ENTRIES = 1000
const MAX_ITEMS = 2000
const MAX_TEXT = 2000
const MAX_VALUES = 1000
const MAX_VALUE_DEPTH = 8
const MAX_VALUE_CHARACTERS = 64 * 1024
const MAX_NOTES = 20

const entrySchema = z.record(z.string(), z.unknown())
const taskIdSchema = z.union([z.string().trim().min(1).max(MAX_TEXT), z.number().transform(String)])
const jsonSchema: z.ZodType<JsonValue> = z.json()
const namedValueSchema = z.object({ name: z.string(), value: z.json() })
const textsSchema = z.union([z.string().transform((text) => [text]), z.array(z.unknown())])
const exitSignalSchema = z.union([
  z.boolean(),
  z
    .string()
    .trim()
    .toLowerCase()
    .pipe(z.enum(['true', 'false']))
    .transform((text) => text === 'true'),
])

/**
 * Returns the entries of a report: one for an object, one for each object of a list, with or without a wrapper object around
 * them. Ignores unknown keys. Leaves out values of the wrong shape and notes them in the entry. A template that was printed
 * instead of being filled in (`"done | failed"`) is not an entry, but an id of `taskIds` is never taken for a template. Reads
 * values for `probeNames` before all others. Returns null if the value is not a report. Never throws.
 */
export function readReportEntries(
  value: unknown,
  probeNames: readonly string[] = [],
  taskIds: readonly string[] = [],
): readonly ReportEntry[] | null {
  const report = unwrapped(value)
  // The last entry about a task counts, so only the first ones of a longer list can be left out.
  const items = Array.isArray(report) ? report.slice(-MAX_ENTRIES) : [report]
  const entries = items.map((item) => entrySchema.safeParse(item))
  if (!entries.some((entry) => entry.success)) return null
  return entries.flatMap((entry) =>
    entry.success && !isTemplate(entry.data, taskIds) ? [readEntry(entry.data, probeNames)] : [],
  )
}

/** Keys under which agents wrap their reports in an object. */
const WRAPPERS = ['tasks', 'reports', 'results', 'report', 'heartbeat_report', 'heartbeat-report']

/** Returns the content of a wrapper object that says nothing about a task itself. Only the outermost object is unwrapped. */
function unwrapped(value: unknown): unknown {
  const outer = entrySchema.safeParse(value)
  if (!outer.success || ['task_id', 'status', 'claims', 'files'].some((key) => key in outer.data))
    return value
  const held = WRAPPERS.map((key) => outer.data[key]).filter(holdsReport)
  return held.length === 1 ? held[0] : value
}

function holdsReport(value: unknown): boolean {
  return [value].flat().some((item) => {
    const entry = entrySchema.safeParse(item)
    return entry.success && ('task_id' in entry.data || 'status' in entry.data)
  })
}

/** Text that marks a place to fill in. */
const PLACEHOLDER = /^(?:<.*>|\.{3}|…)$/s

/** Returns whether an entry is an unfilled template. A known task's id never is one, even with brackets and dots. */
function isTemplate(
  { status, task_id: taskId }: Record<string, unknown>,
  taskIds: readonly string[],
): boolean {
  if (typeof status === 'string' && isStatusTemplate(status.trim())) return true
  if (typeof taskId !== 'string' || namedTask(taskId, taskIds) !== undefined) return false
  return PLACEHOLDER.test(taskId.trim())
}

/** Returns whether a status is a placeholder or offers several words. "in progress…" is neither: its agent has not completed. */
function isStatusTemplate(status: string): boolean {
  const offered = status.split('|').map((word) => statusOf(word.replace(/["'`]/g, '')))
  return PLACEHOLDER.test(status) || new Set(offered.filter((word) => word !== null)).size > 1
}

function readEntry(entry: Record<string, unknown>, probeNames: readonly string[]): ReportEntry {
  const notes: string[] = []
  const taskId = taskIdSchema.safeParse(entry.task_id)
  if (entry.task_id !== undefined && !taskId.success) notes.push('`task_id` is not a string')
  const values = readValues(entry.claims, notes, probeNames)
  const status = readStatus(entry.status, notes)
  const claim: Claim = {
    status,
    values,
    files: readFiles(entry.files, notes),
    evidence: readTexts('evidence', entry.evidence, notes),
    exitSignal: readExitSignal(entry.exit_signal, notes),
    source: 'report',
    notes: notes.slice(0, MAX_NOTES),
    ...(isLeftUnread(entry, values) && { isPartlyUnread: true }),
  }
  const isUnknown = status === null && entry.status !== undefined && entry.status !== null
  const read = isUnknown
    ? withoutCompletion(claim, `its status is ${show(entry.status)}`)
    : settleClaim(claim, remainderOf(entry, claim))
  return { taskId: taskId.success ? taskId.data : null, claim: read }
}

/**
 * Keys under which agents list what they have not done: `remaining`, `not_done`, `remaining-tasks`, `still_missing`, `work_remaining`,
 * `tests_pending`, `open_items`. `open_issues` may be others' issues.
 */
const REMAINDERS =
  /^(?:(?:still|what)[_ -]?)?(?:remain(?:s|ing)|not[_ -]?(?:done|tested|implemented|finished)|untested|to[_ -]?do|pending|missing|incomplete|unfinished|outstanding|deferred|left)[\w -]*$|^(?:work|tasks?|items?|steps?|tests?|docs?)[_ -]?(?:remaining|pending|missing|left|to[_ -]?do)$|^(?:still[_ -]?open|open[_ -](?:items?|tasks?|steps?|work|points?))$/i
/** Keys for free-form sentences. */
const REMARKS =
  /^(?:summary|notes?|messages?|comments?|remarks?|details?|reasons?|explanations?|caveats?|limitations?|known_?(?:issues|gaps))$/i

/** Returns the part of a report that takes its completion back: a list of remaining work, or a sentence that names some. */
function remainderOf(entry: Record<string, unknown>, { evidence }: Claim): string | null {
  const listed = Object.keys(entry).find((key) => REMAINDERS.test(key) && !isNoneLeft(entry[key]))
  if (listed !== undefined) return `its \`${listed}\` is ${show(entry[listed])}`
  const remarks = Object.keys(entry)
    .filter((key) => REMARKS.test(key))
    .flatMap((key) => entry[key])
    .filter((text) => typeof text === 'string')
  return findAdmission([...remarks, ...evidence])
}

/** Returns whether an entry contains more than is read: too many values or files, or any that is too large. */
function isLeftUnread({ claims, files }: Record<string, unknown>, read: Claim['values']): boolean {
  const count = Object.keys(recordOf(claims) ?? {}).length
  if (count > Object.keys(read).length) return true
  const paths = [pathsOf(files)].flat()
  return paths.length > MAX_ITEMS || paths.some((path) => typeof path === 'string' && path.length > MAX_TEXT)
}

function readStatus(value: unknown, notes: string[]): ClaimStatus | null {
  if (value === undefined || value === null) {
    notes.push('`status` is missing')
    return null
  }
  const status = typeof value === 'string' ? statusOf(value) : null
  if (status === null) notes.push(`\`status\` must be done, skipped or failed, not ${show(value)}`)
  else if (typeof value === 'string' && value.trim().toLowerCase() !== status)
    notes.push(`\`status\` ${show(value)} was taken as ${status}`)
  return status
}

function readValues(
  value: unknown,
  notes: string[],
  probeNames: readonly string[],
): Readonly<Record<string, JsonValue>> {
  if (value === undefined || value === null) return {}
  const record = recordOf(value)
  if (record === null) {
    notes.push('`claims` must be an object of values by probe name')
    return {}
  }
  const known = new Set(probeNames)
  const isAboutProbe = (name: string): boolean => known.has(name) || known.has(name.split('.')[0] ?? name)
  const entries = Object.entries(record).sort(([a], [b]) => Number(isAboutProbe(b)) - Number(isAboutProbe(a)))
  if (entries.length > MAX_VALUES) notes.push(`only the first ${MAX_VALUES} of \`claims\` were read`)
  const kept = entries.slice(0, MAX_VALUES).flatMap(([name, claimed]): [string, JsonValue][] => {
    if (name.length <= MAX_TEXT && isBounded(claimed)) {
      const json = jsonSchema.safeParse(claimed)
      if (json.success) return [[name, json.data]]
    }
    notes.push(`the claim ${show(name)} is too large and was left out`)
    return []
  })
  return Object.fromEntries(kept)
}

/**
 * Returns `claims` as an object. Accepts a list of objects, or of names and values; other content is treated as words. As in JSON, the last
 * value of a name counts.
 */
function recordOf(claims: unknown): Readonly<Record<string, unknown>> | null {
  const record = entrySchema.safeParse(claims)
  if (record.success) return record.data
  if (!Array.isArray(claims)) return null
  const values = claims.flatMap((item): [string, unknown][] => {
    const pair = namedValueSchema.safeParse(item)
    if (pair.success) return [[pair.data.name, pair.data.value]]
    const one = entrySchema.safeParse(item)
    return one.success ? Object.entries(one.data) : []
  })
  return values.length === 0 ? null : Object.fromEntries(values)
}

function isBounded(value: unknown): boolean {
  return isShallow(value, MAX_VALUE_DEPTH) && JSON.stringify(value).length <= MAX_VALUE_CHARACTERS
}

function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return depth > 0 && Object.values(value).every((item) => isShallow(item, depth - 1))
}

function readFiles(value: unknown, notes: string[]): readonly FileReference[] {
  const entries = readTexts('files', pathsOf(value), notes)
  const written = entries.filter((entry) => !deniesWriting(entry))
  if (written.length < entries.length)
    notes.push('entries of `files` that say nothing was written were left out')
  const named = written.filter((entry) => !namesNoFile(entry))
  if (named.length < written.length) notes.push('entries of `files` that name no file were left out')
  return named.flatMap(splitReferences).map((entry) => {
    const file = parseFileReference(entry)
    return file.path === entry ? file : { ...file, entry }
  })
}

function readTexts(key: string, value: unknown, notes: string[]): readonly string[] {
  if (value === undefined || value === null) return []
  const texts = textsSchema.safeParse(value)
  if (!texts.success) {
    notes.push(`\`${key}\` must be a list of strings`)
    return []
  }
  const items: readonly unknown[] = texts.data
  const kept = items.filter(
    (text): text is string => typeof text === 'string' && text.trim() !== '' && text.length <= MAX_TEXT,
  )
  if (kept.length < items.length) notes.push(`entries of \`${key}\` that are not strings were left out`)
  if (kept.length > MAX_ITEMS) notes.push(`only the first ${MAX_ITEMS} of \`${key}\` were read`)
  return kept.slice(0, MAX_ITEMS)
}

function readExitSignal(value: unknown, notes: string[]): boolean | null {
  if (value === undefined || value === null) return null
  const signal = exitSignalSchema.safeParse(value)
  if (!signal.success) notes.push('`exit_signal` must be true or false')
  return signal.success ? signal.data : null
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}
