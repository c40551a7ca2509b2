import type { SeenAnswer } from '../../api/procedures/seen.ts'
import { RequestProblem } from '../../api/request-problem.ts'
import { countOthers } from '../../core/vocabulary/unreviewed.ts'
import type { WorkspaceRuntime } from '../host/workspace-runtime.ts'
import { os, workspaceOf } from './implementer.ts'
import { inTurn } from './in-turn.ts'
import { noAttempt } from './no-attempt.ts'

export const seen = {
  all: os.seen.all.handler(async ({ input, context }) => {
    const runtime = workspaceOf(input, context)
    const answer = await inTurn(runtime, () =>
      markSeen(
        runtime,
        runtime.ledger.state.unreviewed.waiting.map(({ id }) => id),
        'marked',
      ),
    )
    context.host.workspaces.changed(runtime)
    return answer
  }),
  undo: os.seen.undo.handler(async ({ input, context }) => {
    const runtime = workspaceOf(input, context)
    const answer = await inTurn(runtime, () => markUnseen(runtime, input.ids))
    context.host.workspaces.changed(runtime)
    return answer
  }),
}

/** Marks an attempt, or a refused request outside any attempt, as seen. One that was already seen stays so. */
export async function markOneSeen(
  runtime: WorkspaceRuntime,
  id: string,
  how: 'opened' | 'marked',
): Promise<SeenAnswer> {
  const { waiting, seen: before } = runtime.ledger.state.unreviewed
  const isKnown = [...waiting, ...before].some((one) => one.id === id)
  if (!isKnown && (await runtime.ledger.attempt(id)) === null) throw noAttempt(runtime, id)
  return markSeen(runtime, waiting.some((one) => one.id === id) ? [id] : [], how)
}

async function markSeen(
  { ledger }: WorkspaceRuntime,
  ids: readonly string[],
  how: 'opened' | 'marked',
): Promise<SeenAnswer> {
  const others = countOthers(ledger.state.unreviewed.waiting.filter(({ id }) => ids.includes(id)))
  if (ids.length > 0) await ledger.append({ type: 'contradictions-seen', ids: [...ids], others, how })
  const { waiting } = ledger.state.unreviewed
  return { seen: [...ids], others, unreviewed: waiting.length, unreviewedOthers: countOthers(waiting) }
}

async function markUnseen(
  { ledger }: WorkspaceRuntime,
  ids: readonly string[],
): Promise<{ unreviewed: number }> {
  const { seen: before } = ledger.state.unreviewed
  const known = before.filter(({ id }) => ids.includes(id))
  if (known.length === 0)
    throw new RequestProblem('conflict', 'None of these was marked as seen, so there is nothing to undo.')
  await ledger.append({
    type: 'contradictions-unseen',
    ids: known.map(({ id }) => id),
    others: countOthers(known),
  })
  return { unreviewed: ledger.state.unreviewed.waiting.length }
}
