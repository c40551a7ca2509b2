import type { z } from 'zod'
import type { fleetEntryFilterSchema } from '../../api/procedures/fleet.ts'
import { RequestProblem } from '../../api/request-problem.ts'
import { cursorOf } from '../../core/fleet/cursor.ts'
import type { FleetEntry, FleetEntryFilter } from '../../core/fleet/view.ts'
import type { Fleet, FleetCentre } from '../ports/fleet.ts'
import { os } from './implementer.ts'
import { filterOf } from './timeline.ts'
import { fleetDocumentOf } from './timeline-document.ts'

export const fleet = {
  status: os.fleet.status.handler(({ context }) => context.host.fleet.status()),
  hosts: os.fleet.hosts.handler(({ context }) => [...centreOf(context.host.fleet).hosts()]),
  workspaces: os.fleet.workspaces.handler(async ({ input: { offset, limit, ...filter }, context }) => [
    ...(await shownOf(context.host.fleet)).workspaces(filter, offset, limit),
  ]),
  workspace: os.fleet.workspace.handler(({ input: { host, workspace }, context }) => {
    const found = centreOf(context.host.fleet).workspace(host, workspace)
    if (found !== null) return found
    throw new RequestProblem('not-found', `The center has no record of ${workspace} on ${host}.`)
  }),
  summary: os.fleet.summary.handler(async ({ input, context }) =>
    (await shownOf(context.host.fleet)).summary(input),
  ),
  leaderboard: os.fleet.leaderboard.handler(async ({ input: { offset, limit, ...filter }, context }) => [
    ...(await shownOf(context.host.fleet)).leaderboard(filter, offset, limit),
  ]),
  timeline: os.fleet.timeline.handler(
    async ({ input: { before, cursor, limit, ...input }, context, signal }) => {
      const from = cursor ?? (before === undefined ? null : cursorOf({ atMs: Date.parse(before), row: 0 }))
      const centre = await shownOf(context.host.fleet)
      return [...(await centre.timeline.page(entryFilterOf(input), from, limit, signal))]
    },
  ),
  arrivals: os.fleet.arrivals.handler(async ({ input: { after, ...input }, context }) =>
    (await shownOf(context.host.fleet)).timeline.arrivals(entryFilterOf(input), after ?? null),
  ),
  entry: os.fleet.entry.handler(({ input, context }) => {
    const found = centreOf(context.host.fleet).timeline.entry(input)
    if (found !== null) return found
    throw new RequestProblem(
      'not-found',
      `The center has no entry ${input.id} of ${input.workspace} on ${input.host}.`,
    )
  }),
  content: os.fleet.content.handler(({ input, context }) => centreOf(context.host.fleet).content(input)),
  export: os.fleet.export.handler(({ input: { format, ...input }, context, signal }) =>
    fleetDocument(centreOf(context.host.fleet), entryFilterOf(input), format, signal),
  ),
  join: os.fleet.join.handler(({ input, context }) => context.host.fleet.join(input)),
  leave: os.fleet.leave.handler(async ({ context }) => ({ left: await context.host.fleet.leave() })),
}

/** Returns the center; rejects with a `RequestProblem` if this host is none. */
export function centreOf({ centre }: Fleet): FleetCentre {
  if (centre !== null) return centre
  throw new RequestProblem(
    'conflict',
    'This host is not the center of a fleet. Start one with `pulseward serve --fleet DIR`.',
  )
}

/** Converts a request's filter to the terms of the record. */
export function entryFilterOf({
  host,
  group,
  tag,
  ...filter
}: z.output<typeof fleetEntryFilterSchema>): FleetEntryFilter {
  return { host, group, tag, ...filterOf(filter) }
}

/** Returns the center, once it shows everything that has arrived so far. */
async function shownOf(fleet: Fleet): Promise<FleetCentre> {
  const centre = centreOf(fleet)
  await centre.caughtUp()
  return centre
}

/** Entries read at a time for a document. */
const PAGE = 500

type Shown = Pick<FleetCentre, 'caughtUp' | 'timeline'>

/** Returns the filtered timeline of all hosts as one document; it ends early if `signal` aborts. */
export function fleetDocument(
  centre: Shown,
  filter: FleetEntryFilter,
  format: 'json' | 'csv',
  signal?: AbortSignal,
): AsyncGenerator<string, undefined, void> {
  return fleetDocumentOf(format, pagesOf(centre, filter, signal))
}

async function* pagesOf(
  centre: Shown,
  filter: FleetEntryFilter,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly FleetEntry[], undefined, void> {
  await centre.caughtUp()
  let cursor: string | null = null
  for (;;) {
    const page = await centre.timeline.page(filter, cursor, PAGE, signal)
    yield page
    cursor = page.at(-1)?.cursor ?? null
    if (page.length < PAGE || signal?.aborted === true) return undefined
    // Reading the database never yields, so give other requests a turn.
    await new Promise((resolve) => setImmediate(resolve))
  }
}
