import type { TimelineFilter } from '../../core/record/timeline-filter.ts'
import { csvOf } from './timeline-csv.ts'
import type { WorkspaceRuntime } from './workspace-runtime.ts'

/** The filtered timeline as one document, in pieces of some hundred entries. */
export async function* timelineDocument(
  { timeline }: WorkspaceRuntime,
  filter: TimelineFilter,
  format: 'json' | 'csv',
): AsyncGenerator<string> {
  if (format === 'csv') {
    yield csvOf([], true)
    for await (const entries of timeline.all(filter)) yield csvOf(entries, false)
    return
  }
  let before = '[\n'
  for await (const entries of timeline.all(filter)) {
    if (entries.length === 0) continue
    yield before + entries.map((entry) => JSON.stringify(entry)).join(',\n')
    before = ',\n'
  }
  yield before === '[\n' ? '[]\n' : '\n]\n'
}
