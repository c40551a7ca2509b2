import type { Severity } from '../vocabulary/severity.ts'
import type { TimelineKind } from '../vocabulary/timeline.ts'
import type { TimelineEntry } from './timeline-entry.ts'

/** A timeline's filter; a part that is left out lets everything through. */
export interface TimelineFilter {
  readonly kinds?: readonly TimelineKind[]
  readonly types?: readonly string[]
  readonly severity?: Severity
  readonly taskId?: string
  readonly cycle?: number
  /** Words that the entry must contain verbatim, ignoring case. */
  readonly text?: string
}

/** Returns whether an entry matches a timeline's filter. */
export function isLetThrough(entry: TimelineEntry, filter: TimelineFilter): boolean {
  const { kinds, types, severity, taskId, cycle, text } = filter
  return (
    (kinds === undefined || kinds.includes(entry.kind)) &&
    (types === undefined || types.includes(entry.type)) &&
    (severity === undefined || entry.severity === severity) &&
    (taskId === undefined || entry.taskId === taskId) &&
    (cycle === undefined || entry.cycle === cycle) &&
    (text === undefined || hasText(entry, text.toLowerCase()))
  )
}

/** Returns whether an entry contains this text, which must be in lower case. */
export function hasText(entry: TimelineEntry, lowerText: string): boolean {
  const { title, text, taskId, attemptId, note, type, files, comparisons, details } = entry
  const compared = comparisons.flatMap(({ subject, claimed, measured }) => [subject, claimed, measured])
  const texts = [title, type, taskId, attemptId, note, ...text, ...files, ...compared]
  return (
    texts.some((each) => each?.toLowerCase().includes(lowerText)) ||
    JSON.stringify(details).toLowerCase().includes(lowerText)
  )
}
