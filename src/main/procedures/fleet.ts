import { RequestProblem } from '../../api/request-problem.ts'
import type { FleetCentre } from '../ports/fleet.ts'
import { os, type RequestContext } from './implementer.ts'

export const fleet = {
  status: os.fleet.status.handler(({ context }) => context.host.fleet.status()),
  hosts: os.fleet.hosts.handler(({ context }) => [...centreOf(context).hosts()]),
  workspaces: os.fleet.workspaces.handler(({ input: { offset, limit, ...filter }, context }) => [
    ...centreOf(context).workspaces(filter, offset, limit),
  ]),
  workspace: os.fleet.workspace.handler(({ input: { host, workspace }, context }) => {
    const found = centreOf(context).workspace(host, workspace)
    if (found !== null) return found
    throw new RequestProblem('not-found', `The centre has no record of ${workspace} on ${host}.`)
  }),
  summary: os.fleet.summary.handler(({ input, context }) => centreOf(context).summary(input)),
  leaderboard: os.fleet.leaderboard.handler(({ input, context }) => [
    ...centreOf(context).leaderboard(input),
  ]),
  timeline: os.fleet.timeline.handler(({ input: { before, cursor, limit, ...filter }, context }) => {
    const from = cursor ?? (before === undefined ? null : `${Date.parse(before)}-0`)
    return [...centreOf(context).timeline(filter, from, limit)]
  }),
  content: os.fleet.content.handler(({ input, context }) => centreOf(context).content(input)),
  join: os.fleet.join.handler(({ input, context }) => context.host.fleet.join(input)),
  leave: os.fleet.leave.handler(async ({ context }) => ({ left: await context.host.fleet.leave() })),
}

function centreOf({ host }: RequestContext): FleetCentre {
  const { centre } = host.fleet
  if (centre !== null) return centre
  throw new RequestProblem(
    'conflict',
    'This host is the centre of no fleet. Start one with `pulseward serve --fleet DIR`.',
  )
}
