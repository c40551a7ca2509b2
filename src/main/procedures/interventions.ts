import { RequestProblem } from '../../api/request-problem.ts'
import { cyclesOf } from '../../core/read-model/figures.ts'
import {
  type Intervention,
  type InterventionMetrics,
  interventionMetrics,
  interventionView,
} from '../../core/read-model/intervention.ts'
import type { WorkspaceRuntime } from '../host/workspace-runtime.ts'
import { settled } from './heartbeat.ts'
import { os, workspaceOf } from './implementer.ts'

export const interventions = {
  list: os.interventions.list.handler(({ input, context }) =>
    interventionPage(workspaceOf(input, context), input),
  ),
  metrics: os.interventions.metrics.handler(({ input, context }) => metricsOf(workspaceOf(input, context))),
  reset: os.interventions.reset.handler(async ({ input, context }) => {
    const runtime = workspaceOf(input, context)
    await resetInterventions(runtime)
    return settled(runtime)
  }),
  restore: os.interventions.restore.handler(async ({ input, context }) => {
    const runtime = workspaceOf(input, context)
    if (runtime.ledger.state.interventionArchive === null)
      throw new RequestProblem('conflict', `Nothing was reset in ${runtime.name} that could be taken back.`)
    await runtime.ledger.append({ type: 'interventions-restored' })
    return settled(runtime)
  }),
}

interface InterventionFilter {
  readonly last: number
  readonly type?: Intervention['event_type'] | undefined
  readonly severity?: Intervention['severity'] | undefined
  /** `nextCursor` of the previous page. */
  readonly cursor?: string | undefined
}

interface InterventionPage {
  readonly interventions: Intervention[]
  readonly nextCursor: string | null
}

/** Returns interventions, newest first; the cursor is the id of the last one shown. */
export function interventionPage(
  { ledger }: WorkspaceRuntime,
  { last, type, severity, cursor }: InterventionFilter,
): InterventionPage {
  const all = ledger.state.interventions
  const from = cursor === undefined ? 0 : all.findIndex(({ id }) => id === cursor) + 1
  if (cursor !== undefined && from === 0) {
    throw new RequestProblem(
      'bad-request',
      `There is no intervention ${JSON.stringify(cursor)} to go on from. Start without a cursor.`,
    )
  }
  const wanted = all
    .slice(from)
    .map(interventionView)
    .filter((entry) => type === undefined || entry.event_type === type)
    .filter((entry) => severity === undefined || entry.severity === severity)
  const page = wanted.slice(0, last)
  return { interventions: page, nextCursor: wanted.length > last ? (page.at(-1)?.id ?? null) : null }
}

export function metricsOf({ ledger }: WorkspaceRuntime): InterventionMetrics {
  return interventionMetrics(ledger.state.interventionTotals, cyclesOf(ledger.state))
}

export async function resetInterventions({ ledger }: WorkspaceRuntime): Promise<void> {
  await ledger.append({ type: 'interventions-reset' })
}
