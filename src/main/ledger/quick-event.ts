import { isDeepStrictEqual } from 'node:util'
import type { AttemptResult, RecordedEvent } from '../../core/record/events.ts'
import { SILENT_EVENTS } from '../../core/record/timeline.ts'
import { attemptKeys } from '../../core/record/timeline-attempt.ts'
import { FAULTS, type Fault } from '../../core/vocabulary/fault.ts'
import { INTERVENTION_ROWS } from '../../core/vocabulary/intervention.ts'
import { SEVERITIES, type Severity } from '../../core/vocabulary/severity.ts'
import { VERDICTS, type Verdict } from '../../core/vocabulary/verdict.ts'
import type { GlancedAttempt } from './attempt-glance.ts'
import { decodeLine, readEvent } from './line.ts'

/*
 * Lines of a long history, read to be found again by what they are about. To hold every one against its schema takes ten times as long as
 * to read it, and each was held against it when it was written.
 */

/** An attempt from its line, which need not be as plain as for a glance; `null` where its schema has to tell what it says, or it is none. */
export function quickAttempt(line: Buffer): GlancedAttempt | null {
  if (typeOf(line) !== 'attempt-finished') return null
  const json = parsed(line)
  if (!isRecord(json) || json.type !== 'attempt-finished' || !Number.isSafeInteger(json.seq)) return null
  const { result } = json
  return isPlainResult(result) ? { seq: json.seq as number, keys: attemptKeys(result) } : null
}

/** Whether all is there that its entries are found by, of the kind that the schema wants and none of it to be put in. */
function isPlainResult(result: unknown): result is AttemptResult {
  if (!isRecord(result)) return false
  const { verdict, groundTruthContradiction, fault, held, cycle, taskId, interventions } = result
  return (
    (verdict === null || VERDICTS.includes(verdict as Verdict)) &&
    (fault === null || FAULTS.includes(fault as Fault)) &&
    typeof groundTruthContradiction === 'boolean' &&
    (held === null || isRecord(held)) &&
    Number.isSafeInteger(cycle) &&
    typeof taskId === 'string' &&
    Array.isArray(interventions) &&
    interventions.every(isPlainIntervention)
  )
}

function isPlainIntervention(intervention: unknown): boolean {
  if (!isRecord(intervention)) return false
  const { event_type, severity } = intervention
  return (
    typeof event_type === 'string' &&
    Object.hasOwn(INTERVENTION_ROWS, event_type) &&
    SEVERITIES.includes(severity as Severity)
  )
}

function parsed(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8'))
  } catch {
    return null
  }
}

/**
 * The event of a line; `null` for one that comes to no entry, or that this version cannot use. One of each form is
 * held against its schema: where that takes nothing away and puts nothing in, others with the same names in the same places are believed.
 */
export function quickEvent(line: Buffer): RecordedEvent | null {
  const type = typeOf(line)
  if (type === null) return strictEvent(line)
  if (SILENT_EVENTS.has(type)) return null
  const json = parsed(line)
  if (!isRecord(json) || json.type !== type) return strictEvent(line)
  const form = formOf(json)
  const isPlain = plainForms.get(form)
  if (isPlain === true) return json as unknown as RecordedEvent
  if (isPlain === false) return strictEvent(line)
  const strict = strictEvent(line)
  if (plainForms.size > MAX_FORMS) plainForms.clear()
  plainForms.set(form, strict !== null && isSame(strict, json))
  return strict
}

/** The type of the event of a line, from its start; `null` where it is not there. */
export function typeOf(line: Buffer): RecordedEvent['type'] | null {
  const found = /"type":"([a-z-]+)"/.exec(line.toString('latin1', 0, 300))?.[1]
  // Not every word is one: what follows from it is decided by the schema or by what is known of it.
  return (found as RecordedEvent['type'] | undefined) ?? null
}

/** The event of a line, held against its schema. */
export function strictEvent(line: Buffer): RecordedEvent | null {
  const decoded = decodeLine(line)
  return 'broken' in decoded ? null : readEvent(decoded).event
}

/** More forms than all versions together have written. */
const MAX_FORMS = 2000
/** By form, whether lines of that form are as their schema makes them. */
const plainForms = new Map<string, boolean>()

/** The type with the names that stand in an event, and in its result and its intervention where it has one, and the kinds of their values. */
function formOf(json: Readonly<Record<string, unknown>>): string {
  let form = `${json.type}`
  for (const name in json) form += ` ${name}${kindOf(json[name])}`
  for (const part of [json.result, json.intervention]) {
    if (!isRecord(part)) continue
    form += ' {'
    for (const name in part) form += ` ${name}${kindOf(part[name])}`
  }
  return form
}

/** Whether the schema left the event as it stands in its line, but for the hash of the line before. */
function isSame(event: RecordedEvent, { prev: _prev, ...json }: Readonly<Record<string, unknown>>): boolean {
  return isDeepStrictEqual(event, json)
}

function kindOf(value: unknown): string {
  if (value === null) return '0'
  if (Array.isArray(value)) return '['
  return (typeof value)[0] ?? ''
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
