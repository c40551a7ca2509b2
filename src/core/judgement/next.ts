import type { Asking } from './asking.ts'
import type { AnswerCase, Case, StateCase, WorkCase } from './case.ts'
import { judgeAnswer } from './judge-answer.ts'
import { judgeState } from './judge-state.ts'
import { judgeWork } from './judge-work.ts'
import type { AnswerJudgement, Judgement, WorkJudgement } from './judgement.ts'
import { type Answers, type Question, questionKey } from './questions.ts'

/** The procedure's next step: questions that can be answered in parallel, or the judgement. */
export type Step<Decided extends Judgement = Judgement> =
  | { readonly ask: readonly [Question, ...Question[]] }
  | { readonly decided: Decided }

/**
 * The one decision procedure: returns the next question that must be answered to judge `subject`, or the decision if the
 * answers suffice. Everything that can say "verified" calls it, answers its questions by measuring, and calls it again. It
 * never asks a question twice or one that `known` answers, and asks cheap questions first if they may make expensive ones
 * unnecessary.
 *
 * Pure: the same case and answers give the same step. Never throws because of anything an agent, a check or a file says.
 */
export function next(subject: WorkCase, known: Answers): Step<WorkJudgement>
export function next(subject: StateCase, known: Answers): Step
export function next(subject: AnswerCase, known: Answers): Step<AnswerJudgement>
export function next(subject: Case, known: Answers): Step
export function next(subject: Case, known: Answers): Step {
  const procedure = procedureOf(subject)
  let turn = procedure.next([])
  while (turn.done !== true) {
    const asked = turn.value.map((question) => [questionKey(question), question] as const)
    const [missing, ...others] = new Map(asked.filter(([key]) => !known.has(key))).values()
    if (missing !== undefined) return { ask: [missing, ...others] }
    turn = procedure.next(asked.map(([key]) => known.get(key)))
  }
  return { decided: turn.value }
}

function procedureOf(subject: Case): Asking<Judgement> {
  if (subject.source === 'review') return judgeAnswer(subject)
  return subject.source === 'sweep' ? judgeState(subject) : judgeWork(subject)
}
