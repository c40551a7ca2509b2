import { RequestProblem } from '../../api/request-problem.ts'
import type { AttemptDetail, UndoAnswer } from '../../core/read-model/attempt.ts'
import type { WorkspaceRuntime } from '../host/workspace-runtime.ts'
import type { UndoEffect } from '../ports/attempt-undo.ts'
import { noAttempt } from './no-attempt.ts'

/** A page shows at most this many paths; the count includes the rest. */
const MAX_SHOWN = 200
const MAX_RECORDED = 50

/** Returns what can be restored of an attempt, as its page shows it. */
export async function undoableOf({ undo }: WorkspaceRuntime, id: string): Promise<AttemptDetail['undo']> {
  const known = await undo.look(id)
  if (known === null) return null
  return {
    files: known.files.slice(0, MAX_SHOWN),
    count: known.files.length,
    lost: known.lost.slice(0, MAX_SHOWN).map((one) => ({ ...one })),
    with: known.attemptIds.filter((one) => one !== id),
    isUndone: known.isUndone,
  }
}

/** Restores what the run of an attempt changed; nothing is scored. */
export async function undoAttempt(
  runtime: WorkspaceRuntime,
  id: string,
  reason: string | undefined,
): Promise<UndoAnswer> {
  await mustBeKnown(runtime, id)
  mustRest(runtime)
  const known = await runtime.undo.look(id)
  if (known === null)
    throw new RequestProblem(
      'conflict',
      `There is nothing to undo in ${id}: it changed no files, or their previous content is no longer kept.`,
    )
  const held = runtime.ledger.state.held.find(({ attemptId }) => known.attemptIds.includes(attemptId))
  if (held !== undefined)
    throw new RequestProblem(
      'conflict',
      `The attempt ${held.attemptId} waits for your answer. Refuse it first: \`pulseward review refuse ${held.attemptId}\`.`,
    )
  const effect = await runtime.undo.undo(id)
  if (effect === null) throw new RequestProblem('conflict', `The changes of ${id} have already been undone.`)
  await record(runtime, id, effect, { again: false, reason: reason === '' ? null : (reason ?? null) })
  return answerOf(id, effect)
}

/** Redoes the changes, as they were before they were restored. */
export async function redoAttempt(runtime: WorkspaceRuntime, id: string): Promise<UndoAnswer> {
  await mustBeKnown(runtime, id)
  mustRest(runtime)
  const effect = await runtime.undo.redo(id)
  if (effect === null)
    throw new RequestProblem(
      'conflict',
      `The changes of ${id} have not been undone, so there is nothing to redo.`,
    )
  await record(runtime, id, effect, { again: true, reason: null })
  return answerOf(id, effect)
}

/** Rejects an unknown id. The id becomes a file name, so only a recorded one is looked up. */
async function mustBeKnown(runtime: WorkspaceRuntime, id: string): Promise<void> {
  if ((await runtime.ledger.attempt(id)) === null) throw noAttempt(runtime, id)
}

function mustRest({ ledger }: WorkspaceRuntime): void {
  if (ledger.state.running !== null)
    throw new RequestProblem(
      'conflict',
      'A heartbeat is running: changes can be undone once it has ended. `pulseward stop` ends it now.',
    )
}

async function record(
  { ledger }: WorkspaceRuntime,
  id: string,
  { attemptIds, putBack, leftAlone }: UndoEffect,
  { again, reason }: { readonly again: boolean; readonly reason: string | null },
): Promise<void> {
  // Nothing was done, so there is nothing to tell the agent, and it can be requested again.
  if (putBack.length === 0) return
  const taskId = (await ledger.attempt(id))?.taskId ?? ''
  await ledger.append({
    type: 'attempt-undone',
    attemptId: id,
    taskId,
    attemptIds: [...attemptIds],
    again,
    files: putBack.slice(0, MAX_RECORDED),
    count: putBack.length,
    leftAlone: leftAlone.length,
    reason,
  })
}

function answerOf(id: string, { attemptIds, putBack, leftAlone }: UndoEffect): UndoAnswer {
  return {
    attemptId: id,
    attemptIds: [...attemptIds],
    putBack: [...putBack],
    leftAlone: leftAlone.map((one) => ({ ...one })),
  }
}
