import type { AttemptFiles } from '../../api/schemas/attempt.ts'
import type { TimelinePage, TimelineQuery } from './timeline.ts'

/** What the host can be asked about what happened. */
export interface TimelineService {
  /** What is kept beside the log of an attempt. */
  attemptFiles(workspace: string | undefined, id: string): Promise<AttemptFiles>
  /** Newest first; bounded in time and memory whatever the length of the ledger. */
  timeline(workspace: string | undefined, query: TimelineQuery): Promise<TimelinePage>
  /** All that the filter lets through as one document, in pieces. Throws before the first one where there is no such workspace. */
  exportTimeline(
    workspace: string | undefined,
    filter: TimelineQuery['filter'],
    format: 'json' | 'csv',
  ): AsyncIterable<string>
}
