import type { z } from 'zod'
import type { timelineFilterSchema } from '../../api/schemas/timeline.ts'
import type { TimelineEntry } from '../../core/record/timeline-entry.ts'
import type { TimelineFilter } from '../../core/record/timeline-filter.ts'
import type { WorkspaceRuntime } from '../host/workspace-runtime.ts'
import { os, workspaceOf } from './implementer.ts'
import { documentOf, type Exported } from './timeline-document.ts'

export const timeline = {
  list: os.timeline.list.handler(async ({ input, context }) => {
    const { workspace: _, ...query } = input
    const page = await workspaceOf(input, context).timeline.page({ ...query, filter: filterOf(input) })
    const { entries, isComplete: complete, ...rest } = page
    const isLast = complete && page.offset + entries.length >= page.total
    return {
      ...rest,
      entries: [...entries],
      complete,
      nextCursor: isLast ? null : (entries.at(-1)?.id ?? null),
    }
  }),
  export: os.timeline.export.handler(({ input, context }) =>
    timelineDocument(workspaceOf(input, context), filterOf(input), input.format),
  ),
}

/** Converts a request's filter to the terms of the record. */
export function filterOf(input: z.output<typeof timelineFilterSchema>): TimelineFilter {
  const { kinds, types, severity, task, cycle, text = '' } = input
  return {
    ...(kinds !== undefined && kinds.length > 0 && { kinds }),
    ...(types !== undefined && types.length > 0 && { types }),
    ...(severity !== undefined && { severity }),
    ...(task !== undefined && { taskId: task }),
    ...(cycle !== undefined && { cycle }),
    ...(text.trim() !== '' && { text: text.trim() }),
  }
}

/** Returns the filtered timeline of a workspace as one document. */
export function timelineDocument(
  { timeline }: WorkspaceRuntime,
  filter: TimelineFilter,
  format: 'json' | 'csv',
): AsyncGenerator<string, undefined, void> {
  return documentOf(format, [], exported(timeline.all(filter)))
}

async function* exported(
  pages: AsyncIterable<readonly TimelineEntry[]>,
): AsyncGenerator<readonly Exported[], undefined, void> {
  for await (const entries of pages) yield entries.map((entry) => ({ of: {}, entry }))
  return undefined
}
