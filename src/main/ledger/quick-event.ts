import { isDeepStrictEqual } from 'node:util'
import type { AttemptResult, RecordedEvent } from '../../core/record/events.ts'
import { SILENT_EVENTS } from '../../core/record/timeline.ts'
import { attemptKeys } from '../../core/record/timeline-attempt.ts'
import { isObject, parseJson } from '../../core/text/json.ts'
import { FAULTS, type Fault } from '../../core/vocabulary/fault.ts'
import { INTERVENTION_ROWS } from '../../core/vocabulary/intervention.ts'
import { SEVERITIES, type Severity } from '../../core/vocabulary/severity.ts'
import { VERDICTS, type Verdict } from '../../core/vocabulary/verdict.ts'
import type { GlancedAttempt } from './attempt-glance.ts'
import { decodeLine, readEvent } from './line.ts'

/*
 * Reads lines of a long history to find events by topic. Parsing each with its schema takes ten times as long as
 * reading it, and each was checked against its schema when it was written.
 */

/** Reads an attempt from its line, which may be less plain than a glance requires; `null` if it needs its schema or is not an attempt. */
export function quickAttempt(line: Buffer): GlancedAttempt | null {
  if (typeOf(line) !== 'attempt-finished') return null
  const json = parseJson(line.toString('utf8'))
  if (!isObject(json) || json.type !== 'attempt-finished' || !Number.isSafeInteger(json.seq)) return null
  const { result } = json
  return isPlainResult(result) ? { seq: json.seq as number, keys: attemptKeys(result) } : null
}

/** True if all fields that its entries are filtered by are there, with the types that the schema requires and no defaults to fill in. */
function isPlainResult(result: unknown): result is AttemptResult {
  if (!isObject(result)) return false
  const { verdict, groundTruthContradiction, fault, held, cycle, taskId, interventions } = result
  return (
    (verdict === null || VERDICTS.includes(verdict as Verdict)) &&
    (fault === null || FAULTS.includes(fault as Fault)) &&
    typeof groundTruthContradiction === 'boolean' &&
    (held === null || isObject(held)) &&
    Number.isSafeInteger(cycle) &&
    typeof taskId === 'string' &&
    Array.isArray(interventions) &&
    interventions.every(isPlainIntervention)
  )
}

function isPlainIntervention(intervention: unknown): boolean {
  if (!isObject(intervention)) return false
  const { event_type, severity } = intervention
  return (
    typeof event_type === 'string' &&
    Object.hasOwn(INTERVENTION_ROWS, event_type) &&
    SEVERITIES.includes(severity as Severity)
  )
}

/**
 * Reads the event of a line; `null` if it has no timeline entry or this version cannot use it. Parses one event of each shape
 * with its schema: if that adds and removes nothing, other events with the same names in the same places are trusted.
 */
export function quickEvent(line: Buffer): RecordedEvent | null {
  const type = typeOf(line)
  if (type === null) return strictEvent(line)
  if (SILENT_EVENTS.has(type)) return null
  const json = parseJson(line.toString('utf8'))
  if (!isObject(json) || json.type !== type) return strictEvent(line)
  const form = formOf(json)
  const isPlain = plainForms.get(form)
  if (isPlain === true) return json as unknown as RecordedEvent
  if (isPlain === false) return strictEvent(line)
  const strict = strictEvent(line)
  if (plainForms.size > MAX_FORMS) plainForms.clear()
  plainForms.set(form, strict !== null && isSame(strict, json))
  return strict
}

/** Reads the event's type from the start of its line; `null` if it is not there. */
export function typeOf(line: Buffer): RecordedEvent['type'] | null {
  const found = /"type":"([a-z-]+)"/.exec(line.toString('latin1', 0, 300))?.[1]
  // Not every word is a type; the schema or the list of known types decides.
  return (found as RecordedEvent['type'] | undefined) ?? null
}

/** Parses the event of a line with its schema. */
export function strictEvent(line: Buffer): RecordedEvent | null {
  const decoded = decodeLine(line)
  return 'broken' in decoded ? null : readEvent(decoded).event
}

/** More shapes than all versions together have written. */
const MAX_FORMS = 2000
/** Whether parsing lines of a shape with the schema changes nothing, by shape. */
const plainForms = new Map<string, boolean>()

/** Returns the type with the names in an event, and in its result and its intervention if it has one, and the types of their values. */
function formOf(json: Readonly<Record<string, unknown>>): string {
  let form = `${json.type}`
  for (const name in json) form += ` ${name}${kindOf(json[name])}`
  for (const part of [json.result, json.intervention]) {
    if (!isObject(part)) continue
    form += ' {'
    for (const name in part) form += ` ${name}${kindOf(part[name])}`
  }
  return form
}

/** True if the schema left the event as it is in its line, except for the hash of the line before. */
function isSame(event: RecordedEvent, { prev: _prev, ...json }: Readonly<Record<string, unknown>>): boolean {
  return isDeepStrictEqual(event, json)
}

function kindOf(value: unknown): string {
  if (value === null) return '0'
  if (Array.isArray(value)) return '['
  return (typeof value)[0] ?? ''
}
