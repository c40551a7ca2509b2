import { stringify } from 'csv-stringify/sync'
import type { TimelineEntry } from '../../core/record/timeline-entry.ts'

const COLUMNS = [
  'id',
  'at',
  'day',
  'kind',
  'type',
  'severity',
  'heartbeat',
  'task',
  'attempt',
  'title',
  'text',
  'claimed',
  'measured',
  'agrees',
  'points',
  'note',
  'files',
  'files_count',
  'details',
] as const

type Column = (typeof COLUMNS)[number]

/**
 * Entries as CSV (RFC 4180): the heading line alone, or lines without it. What an agent or a file wrote could pass itself off as a
 * formula in a spreadsheet: such cells get an apostrophe in front (OWASP, CSV injection). Numbers stay numbers.
 */
export function csvOf(entries: readonly TimelineEntry[], isHeading: boolean): string {
  const records = isHeading ? [COLUMNS] : entries.map((entry) => Object.values(recordOf(entry)))
  return stringify(records, { escape_formulas: true, record_delimiter: 'windows' })
}

function recordOf(entry: TimelineEntry): Record<Column, string | number | null> {
  const { comparisons, details, files } = entry
  const compared = (side: 'claimed' | 'measured') =>
    comparisons.map((each) => `${each.subject}: ${each[side] ?? 'nothing'}`).join('\n')
  return {
    id: entry.id,
    at: entry.at,
    day: entry.day,
    kind: entry.kind,
    type: entry.type,
    severity: entry.severity,
    heartbeat: entry.cycle,
    task: entry.taskId,
    attempt: entry.attemptId,
    title: entry.title,
    text: entry.text.join('\n'),
    claimed: compared('claimed'),
    measured: compared('measured'),
    agrees: comparisons.map(({ agrees }) => (agrees === null ? '?' : agrees ? 'yes' : 'no')).join('\n'),
    points: entry.points,
    note: entry.note,
    files: files.join('\n'),
    files_count: entry.filesCount,
    details: Object.keys(details).length === 0 ? null : JSON.stringify(details),
  }
}
