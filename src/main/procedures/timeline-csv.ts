import { stringify } from 'csv-stringify/sync'
import { NOTHING_SAID, type TimelineEntry, timelineRow } from '../../core/record/timeline-entry.ts'

const HEADING = Object.keys(
  timelineRow({ ...NOTHING_SAID, id: '', seq: 0, at: '', day: '', kind: 'notice', type: '', title: '' }),
)

/**
 * Entries as CSV (RFC 4180): the heading line alone, or lines without it. What an agent or a file wrote could pass itself off as a
 * formula in a spreadsheet: such cells get an apostrophe in front (OWASP, CSV injection). Numbers stay numbers.
 */
export function csvOf(entries: readonly TimelineEntry[], isHeading: boolean): string {
  const records = isHeading ? [HEADING] : entries.map((entry) => Object.values(timelineRow(entry)))
  return stringify(records, { escape_formulas: true, record_delimiter: 'windows' })
}
