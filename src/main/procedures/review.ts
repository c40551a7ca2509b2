import { RequestProblem } from '../../api/request-problem.ts'
import type { ReviewAnswer } from '../../api/schemas/review.ts'
import type { AnswerJudgement } from '../../core/judgement/judgement.ts'
import { heldViews } from '../../core/read-model/held.ts'
import type { AttemptResult, EventBody, JudgedWork } from '../../core/record/events.ts'
import { laterAttempts } from '../../core/record/later-attempts.ts'
import type { AttemptSummary, HeldWork } from '../../core/record/state.ts'
import type { HeldDecision } from '../../core/vocabulary/held.ts'
import { CONTRACT_NAME } from '../config/contract-file.ts'
import type { WorkspaceRuntime } from '../host/workspace-runtime.ts'
import type { Log } from '../ports/log.ts'
import { judgeAnswer } from '../supervisor/judging/judge-answer.ts'
import { baseMoved } from '../supervisor/judging/take-base.ts'
import { allowing, disallow, writeAllowed } from './always-allow.ts'
import { os, workspaceOf } from './implementer.ts'
import { inTurn } from './in-turn.ts'
import { noAttempt } from './no-attempt.ts'

export const review = {
  list: os.review.list.handler(({ input, context }) => ({
    held: heldViews(workspaceOf(input, context).ledger.state),
  })),
  answer: os.review.answer.handler(async ({ input, context }) => {
    const runtime = workspaceOf(input, context)
    const answered = await inTurn(runtime, () => answerHeld(runtime, context.host.log, input))
    runtime.landSoon()
    context.host.workspaces.changed(runtime)
    return answered
  }),
  undo: os.review.undo.handler(async ({ input, context }) => {
    const runtime = workspaceOf(input, context)
    const answered = await inTurn(runtime, () => undoAnswer(runtime, context.host.log, input.id))
    runtime.landSoon()
    context.host.workspaces.changed(runtime)
    return answered
  }),
}

interface Answer {
  readonly id: string
  readonly answer: HeldDecision
  readonly always: boolean
  readonly rigged: boolean
  readonly putBack: boolean
  readonly reason?: string | undefined
}

async function answerHeld(runtime: WorkspaceRuntime, log: Log, answer: Answer): Promise<ReviewAnswer> {
  const group = heldTogether(runtime, answer.id)
  refuseNonsense(runtime, answer)
  const ids = group.map(({ attemptId }) => attemptId)
  const plan = answer.always ? await allowing(runtime, group) : null
  const [first = answer.id] = ids
  const files = answer.putBack ? await runtime.custody.putBack(first, ids) : { restored: [], failed: [] }
  const accepted =
    answer.answer === 'accept'
      ? await runtime.custody.accept({
          answerId: first,
          attemptIds: ids,
          shown: group.flatMap(({ files: listed }) => listed),
          laterIds: laterAttempts(runtime.ledger.state.attempts, ids).map(({ attemptId }) => attemptId),
        })
      : []
  const before = runtime.ledger.state.score.lifetime.totalPoints
  const events = await Promise.all(
    group.map((held, at) => {
      const allowed = plan?.allowed.get(held.attemptId) ?? []
      return answerEvent(runtime, held, answer, at === 0 ? files.restored : [], allowed)
    }),
  )
  await runtime.ledger.append(...events, ...(accepted.length === 0 ? [] : [baseMoved('accepted', accepted)]))
  // The agent's next prompt already says what counts as a contradiction now.
  if (answer.rigged) await runtime.stepBreaker()
  // Done last: if one of the steps above failed, a permission without an answer would stay.
  const unwritten = plan === null ? null : await writeAllowed(runtime, plan, log)
  const { score } = runtime.ledger.state
  return {
    answered: ids,
    delta: score.lifetime.totalPoints - before,
    score: score.today.score,
    putBack: [...files.restored],
    failed: unwritten === null ? [...files.failed] : [{ path: CONTRACT_NAME, reason: unwritten }],
    mayChange: plan === null || unwritten !== null ? [] : [...plan.added],
  }
}

/** Returns the work that was held first, and everything held with it. */
function heldTogether(runtime: WorkspaceRuntime, id: string): readonly HeldWork[] {
  const { held } = runtime.ledger.state
  const named = held.find(({ attemptId }) => attemptId === id)
  if (named === undefined) {
    const known = runtime.ledger.state.attempts.find(({ attemptId }) => attemptId === id)
    if (known === undefined) throw noAttempt(runtime, id)
    throw new RequestProblem('conflict', `Attempt ${id} is not held for review.`)
  }
  const root = named.with !== null && held.some(({ attemptId }) => attemptId === named.with) ? named.with : id
  return held
    .filter((one) => one.attemptId === root || one.with === root)
    .toSorted((one, other) => Number(other.attemptId === root) - Number(one.attemptId === root))
}

function refuseNonsense(runtime: WorkspaceRuntime, { answer, always, rigged, putBack }: Answer): void {
  if (answer === 'accept' && (rigged || putBack))
    throw new RequestProblem('bad-request', 'Accepted work cannot be rigged or restored: refuse it instead.')
  if (answer === 'refuse' && always)
    throw new RequestProblem(
      'bad-request',
      'Only accepted files may be changed always: accept the work instead.',
    )
  if (putBack && runtime.ledger.state.running !== null)
    throw new RequestProblem('conflict', 'A heartbeat is running: files can be restored once it has ended.')
}

async function answerEvent(
  runtime: WorkspaceRuntime,
  { attemptId, taskId, day, required }: HeldWork,
  { answer, rigged, reason }: Answer,
  putBack: readonly string[],
  mayChange: readonly string[],
): Promise<EventBody> {
  const verdict = answer === 'accept' ? 'verified' : 'not_verified'
  const result = await runtime.ledger.attempt(attemptId)
  const judged = await judgeAnswer(runtime, result, { verdict, required, isContradiction: rigged })
  return {
    type: 'review-answered',
    attemptId,
    taskId,
    attemptDay: day,
    answer,
    rigged,
    putBack: putBack.slice(0, 50),
    always: mayChange.length === 0 ? null : mayChange.join(', '),
    reason: reason === undefined || reason === '' ? null : reason,
    points: judged.points,
    ...workOf(result, judged),
  }
}

/** Returns nothing about an attempt that the ledger no longer has. */
function workOf(
  result: AttemptResult | null,
  { work }: AnswerJudgement,
): { agentId?: string; work?: JudgedWork } {
  return result === null || work === null ? {} : { agentId: result.agentId, work }
}

async function undoAnswer(runtime: WorkspaceRuntime, log: Log, id: string): Promise<ReviewAnswer> {
  const { attempts } = runtime.ledger.state
  const named = attempts.find(({ attemptId }) => attemptId === id)
  if (named === undefined) throw noAttempt(runtime, id)
  if (
    named.review === null ||
    named.review.answer === null ||
    named.verdict === null ||
    named.verdict === 'unclear'
  )
    throw new RequestProblem('conflict', `There is no answer to the attempt ${id} to take back.`)
  const root = named.review.with ?? id
  const at = named.review.answer.at
  const group = attempts.filter(
    ({ attemptId, review: one }) => (attemptId === root || one?.with === root) && one?.answer?.at === at,
  )
  const files = await runtime.custody.undoAnswer(
    root,
    group.map(({ attemptId }) => attemptId),
    named.review.answer.answer,
  )
  const before = runtime.ledger.state.score.lifetime.totalPoints
  const events = await Promise.all(group.map((attempt) => undoneEvents(runtime, attempt)))
  await runtime.ledger.append(...events.flat())
  const stay = await disallow(runtime, group, log)
  const { score } = runtime.ledger.state
  return {
    answered: group.map(({ attemptId }) => attemptId),
    delta: score.lifetime.totalPoints - before,
    score: score.today.score,
    putBack: [...files.restored],
    failed: [...files.failed],
    mayChange: [...stay],
  }
}

async function undoneEvents(
  runtime: WorkspaceRuntime,
  { attemptId, taskId, day, required, verdict, groundTruthContradiction, points }: AttemptSummary,
): Promise<EventBody[]> {
  if (verdict === null || verdict === 'unclear') return []
  const result = await runtime.ledger.attempt(attemptId)
  const judged = await judgeAnswer(runtime, result, { verdict: 'unclear', required })
  return [
    {
      type: 'review-undone',
      attemptId,
      taskId,
      attemptDay: day,
      from: verdict,
      fromContradiction: groundTruthContradiction,
      points,
      ...workOf(result, judged),
    },
  ]
}
