import type { Asking } from './asking.ts'
import type { AnswerCase, Case, StateCase, WorkCase } from './case.ts'
import type { AnswerJudgement, Judgement, WorkJudgement } from './judgement.ts'
import { next } from './next.ts'
import { type Answer, NO_ANSWERS, type Question, withAnswers } from './questions.ts'

/** Answers a question by measuring. Rejects only for bugs in Pulseward; a failed measurement is part of the answer. */
export type AnswerQuestion = (question: Question) => Promise<Answer>

/** Runs a part of the procedure by itself. */
export async function askPart<Result>(part: Asking<Result>, answer: AnswerQuestion): Promise<Result> {
  let turn = part.next([])
  while (turn.done !== true) turn = part.next(await Promise.all(turn.value.map(answer)))
  return turn.value
}

/** Runs the procedure until it decides. Independent questions are answered at the same time, and each question only once. */
export function askUntilDecided(subject: WorkCase, answer: AnswerQuestion): Promise<WorkJudgement>
export function askUntilDecided(subject: AnswerCase, answer: AnswerQuestion): Promise<AnswerJudgement>
export function askUntilDecided(subject: StateCase, answer: AnswerQuestion): Promise<Judgement>
export async function askUntilDecided(subject: Case, answer: AnswerQuestion): Promise<Judgement> {
  let known = NO_ANSWERS
  for (;;) {
    const step = next(subject, known)
    if ('decided' in step) return step.decided
    const answered = await Promise.all(step.ask.map(async (one) => [one, await answer(one)] as const))
    known = withAnswers(known, answered)
  }
}
