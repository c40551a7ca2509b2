import type { z } from 'zod'
import type { timelineFilterSchema } from '../../../api/schemas/timeline.ts'
import type { TimelineFilter } from '../../../core/record/timeline-filter.ts'
import type { HostService } from '../../ports/host-service.ts'
import { type Implementer, named } from '../implementer.ts'

export function timelineRoutes(os: Implementer['timeline'], service: HostService) {
  return {
    list: os.list.handler(async ({ input, context }) => {
      const { limit, cursor, offset, at, upTo, after } = input
      const filter = filterOf(input)
      const position = { ...(at !== undefined && { at }), ...(cursor !== undefined && { cursor }) }
      const page = await service.timeline(named(input, context), {
        filter,
        limit,
        ...position,
        ...(offset !== undefined && { offset }),
        ...(upTo !== undefined && { upTo }),
        ...(after !== undefined && { after }),
      })
      const { entries, isComplete: complete, ...rest } = page
      const isLast = complete && page.offset + entries.length >= page.total
      return {
        ...rest,
        entries: [...entries],
        complete,
        nextCursor: isLast ? null : (entries.at(-1)?.id ?? null),
      }
    }),
    export: os.export.handler(({ input, context }) =>
      iteratorOf(service.exportTimeline(named(input, context), filterOf(input), input.format)),
    ),
  }
}

/** The filter of a request, in the words of the record. */
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

async function* iteratorOf(pieces: AsyncIterable<string>): AsyncGenerator<string, undefined, void> {
  yield* pieces
  return undefined
}
