import { stringify } from 'csv-stringify/sync'
import type { FleetEntry } from '../../core/fleet/view.ts'
import { NOTHING_SAID, type TimelineEntry, timelineRow } from '../../core/record/timeline-entry.ts'

/** An entry, and the columns before it in its row: in a fleet, its host and workspace. */
export interface Exported {
  readonly of: Readonly<Record<string, string>>
  readonly entry: TimelineEntry
}

const NONE: TimelineEntry = {
  ...NOTHING_SAID,
  id: '',
  seq: 0,
  at: '',
  day: '',
  kind: 'notice',
  type: '',
  title: '',
}

/** Yields entries as one document, in pieces of some hundred; `names` are the columns that say where each entry is from, and come first. */
export async function* documentOf(
  format: 'json' | 'csv',
  names: readonly string[],
  pages: AsyncIterable<readonly Exported[]>,
): AsyncGenerator<string, undefined, void> {
  if (format === 'csv') {
    yield csvHeading(names)
    for await (const entries of pages) yield csvOf(entries)
    return undefined
  }
  let before = '[\n'
  for await (const entries of pages) {
    if (entries.length === 0) continue
    yield before + entries.map(({ of, entry }) => JSON.stringify({ ...of, ...entry })).join(',\n')
    before = ',\n'
  }
  yield before === '[\n' ? '[]\n' : '\n]\n'
  return undefined
}

/** Returns entries of all hosts as one document: like a workspace's, with host and workspace before each. */
export function fleetDocumentOf(
  format: 'json' | 'csv',
  pages: AsyncIterable<readonly FleetEntry[]>,
): AsyncGenerator<string, undefined, void> {
  return documentOf(format, ['host', 'workspace'], named(pages))
}

async function* named(
  pages: AsyncIterable<readonly FleetEntry[]>,
): AsyncGenerator<readonly Exported[], undefined, void> {
  for await (const page of pages)
    yield page.map(({ host, workspace, entry }) => ({ of: { host, workspace }, entry }))
  return undefined
}

/** Returns the CSV heading, starting with the columns `names`. */
function csvHeading(names: readonly string[]): string {
  return csv([[...names, ...Object.keys(timelineRow(NONE))]])
}

/** Returns entries as lines of CSV (RFC 4180), without the heading. */
function csvOf(entries: readonly Exported[]): string {
  return csv(entries.map(({ of, entry }) => [...Object.values(of), ...Object.values(timelineRow(entry))]))
}

/**
 * Formats rows as CSV. Text from an agent or a file could act as a formula in a spreadsheet, so such cells get an apostrophe in front
 * (OWASP, CSV injection). Numbers stay numbers.
 */
function csv(rows: readonly (readonly (string | number | null)[])[]): string {
  return stringify([...rows], { escape_formulas: true, record_delimiter: 'windows' })
}
