import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { RequestProblem } from '../../api/request-problem.ts'
import { renderLog } from '../../core/agents/render-log.ts'
import { localDay } from '../../core/pacing/schedule.ts'
import type { AttemptDetail, AttemptFiles, AttemptOverview } from '../../core/read-model/attempt.ts'
import { attemptDetailView, attemptView, raisedIn } from '../../core/read-model/attempt.ts'
import { replaySchema } from '../../core/read-model/replay.ts'
import type { AttemptResult } from '../../core/record/events.ts'
import { isUnanswered } from '../../core/record/fold-review.ts'
import { readJson } from '../../core/text/json.ts'
import type { Verdict } from '../../core/vocabulary/verdict.ts'
import type { WorkspaceRuntime } from '../host/workspace-runtime.ts'
import { judgeAnswer } from '../supervisor/judging/judge-answer.ts'
import { os, workspaceOf } from './implementer.ts'
import { inTurn } from './in-turn.ts'
import { noAttempt } from './no-attempt.ts'
import { markOneSeen } from './seen.ts'
import { redoAttempt, undoAttempt, undoableOf } from './undo-attempt.ts'

export const attempts = {
  list: os.attempts.list.handler(({ input, context }) =>
    attemptPage(workspaceOf(input, context), input.limit, input.cursor),
  ),
  get: os.attempts.get.handler(({ input, context }) => attemptDetail(workspaceOf(input, context), input.id)),
  files: os.attempts.files.handler(({ input, context }) =>
    attemptFiles(workspaceOf(input, context), input.id),
  ),
  stop: os.attempts.stop.handler(async ({ input: { id, ...input }, context }) => {
    const runtime = workspaceOf(input, context)
    const running = runtime.ledger.state.running?.attempt
    await runtime.loop.stopNow(id)
    return { attemptId: id, taskId: running?.taskId ?? '' }
  }),
  undo: os.attempts.undo.handler(async ({ input, context }) => {
    const runtime = workspaceOf(input, context)
    const answer = await inTurn(runtime, () => undoAttempt(runtime, input.id, input.reason))
    context.host.workspaces.changed(runtime)
    return answer
  }),
  redo: os.attempts.redo.handler(async ({ input, context }) => {
    const runtime = workspaceOf(input, context)
    const answer = await inTurn(runtime, () => redoAttempt(runtime, input.id))
    context.host.workspaces.changed(runtime)
    return answer
  }),
  overrule: os.attempts.overrule.handler(async ({ input, context }) => {
    const runtime = workspaceOf(input, context)
    const answer = await inTurn(runtime, () => overrule(runtime, input.id, input.verdict, input.reason))
    runtime.landSoon()
    context.host.workspaces.changed(runtime)
    return answer
  }),
  seen: os.attempts.seen.handler(async ({ input, context }) => {
    const runtime = workspaceOf(input, context)
    const answer = await inTurn(runtime, () => markOneSeen(runtime, input.id, input.how))
    context.host.workspaces.changed(runtime)
    return answer
  }),
}

/** Returns attempts, newest first; the cursor is the id of the last one shown. */
function attemptPage(
  { ledger }: WorkspaceRuntime,
  limit: number,
  cursor: string | undefined,
): { attempts: AttemptOverview[]; nextCursor: string | null } {
  const { attempts } = ledger.state
  const from = cursor === undefined ? 0 : attempts.findIndex((attempt) => attempt.attemptId === cursor) + 1
  if (cursor !== undefined && from === 0) {
    throw new RequestProblem(
      'bad-request',
      `There is no attempt ${JSON.stringify(cursor)} to go on from. Start without a cursor.`,
    )
  }
  const page = attempts.slice(from, from + limit)
  const more = from + limit < attempts.length
  return { attempts: page.map(attemptView), nextCursor: more ? (page.at(-1)?.attemptId ?? null) : null }
}

/** Returns one attempt as recorded, with what the operator has said since and its output. */
async function attemptDetail(runtime: WorkspaceRuntime, id: string): Promise<AttemptDetail> {
  const result = await runtime.ledger.attempt(id)
  if (result === null) throw noAttempt(runtime, id)
  const summary = runtime.ledger.state.attempts.find((attempt) => attempt.attemptId === id)
  const whole = { ...result, interventions: raisedIn(runtime.ledger.state, result) }
  return attemptDetailView(whole, summary, {
    isUnreviewed: runtime.ledger.state.unreviewed.waiting.some((one) => one.id === id),
    undo: await undoableOf(runtime, id),
    output: await readLog(runtime, id),
    ...(await neighboursOf(runtime, result, summary?.seq)),
  })
}

/** Returns the files stored with an attempt's log. */
async function attemptFiles(runtime: WorkspaceRuntime, id: string): Promise<AttemptFiles> {
  // The id becomes a file name, so only a recorded one is looked up.
  if ((await runtime.ledger.attempt(id)) === null) throw noAttempt(runtime, id)
  const [prompt, difference, replay] = await Promise.all([
    readBeside(runtime, id, 'prompt'),
    readBeside(runtime, id, 'diff'),
    readBeside(runtime, id, 'replay'),
  ])
  return { prompt, difference, replay: readJson(replaySchema, replay ?? '') }
}

/** Returns the attempt's output as people read it: the content of an event stream, not its JSON lines. */
async function readLog(runtime: WorkspaceRuntime, id: string): Promise<string | null> {
  const log = await readBeside(runtime, id, 'log')
  return log === null ? null : renderLog(log)
}

async function readBeside(
  { attemptsDirectory }: WorkspaceRuntime,
  id: string,
  ending: 'log' | 'prompt' | 'diff' | 'replay',
): Promise<string | null> {
  return readFile(join(attemptsDirectory, `${id}.${ending}`), 'utf8').catch(() => null)
}

/** Returns the attempt's timeline entry and its neighbors; does not search for those of old attempts. */
async function neighboursOf(
  { timeline }: WorkspaceRuntime,
  { taskId, attemptId }: AttemptResult,
  seq: number | undefined,
): Promise<Pick<AttemptDetail, 'entryId' | 'previousId' | 'nextId'>> {
  if (seq === undefined) return { entryId: null, previousId: null, nextId: null }
  const entryId = String(seq)
  const filter = { kinds: ['verdict' as const], taskId }
  const { entries } = await timeline.page({ filter, at: entryId, limit: 3 })
  const place = entries.findIndex((entry) => entry.attemptId === attemptId)
  const idAt = (at: number) => (place < 0 ? null : (entries[at]?.attemptId ?? null))
  return { entryId, previousId: idAt(place + 1), nextId: idAt(place - 1) }
}

/** Replaces the verifier's verdict with the operator's; score, target and standing follow. */
async function overrule(
  runtime: WorkspaceRuntime,
  id: string,
  verdict: Verdict,
  reason: string,
): Promise<{ delta: number; score: number }> {
  const { ledger } = runtime
  const result = await ledger.attempt(id)
  if (result === null) throw noAttempt(runtime, id)
  const summary = ledger.state.attempts.find((attempt) => attempt.attemptId === id)
  const isHeld = isUnanswered(ledger.state, id)
  const current = {
    verdict: summary?.verdict ?? result.verdict,
    contradiction: summary?.groundTruthContradiction ?? result.groundTruthContradiction,
    points: summary?.points ?? result.points,
  }
  if (current.verdict === verdict) {
    throw new RequestProblem('conflict', `The verdict of ${id} is ${verdict} already.`)
  }
  // If the operator also finds an attempt unclear, that doesn't make it the agent's fault, unless the work had been paid.
  const fault = result.verdict === 'verified' ? 'agent' : result.fault
  const { required } = result
  const { points, work } = await judgeAnswer(runtime, result, { verdict, required, fault })
  const delta = points - current.points
  await ledger.append({
    type: 'verdict-overruled',
    attemptId: id,
    taskId: result.taskId,
    attemptDay: summary?.day ?? localDay(Date.parse(result.startedAt), runtime.zone()),
    // Held work has not counted anywhere, so there is nothing to subtract.
    from: isHeld ? null : current.verdict,
    fromContradiction: current.contradiction,
    to: verdict,
    reason,
    pointsDelta: delta,
    ...(work !== null && { work }),
  })
  return { delta, score: ledger.state.score.today.score }
}
