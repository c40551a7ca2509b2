import type { AnswerCase, Case, StateCase, WorkCase } from './case.ts'
import type { AnswerJudgement, Judgement, WorkJudgement } from './judgement.ts'
import { next } from './next.ts'
import { type Answer, NO_ANSWERS, type Question, withAnswers } from './questions.ts'

/** Answers a question by measuring. Rejects only for mistakes of ours: what fails is said in the answer. */
export type AnswerQuestion = (question: Question) => Promise<Answer>

/** Asks the procedure until it has decided. What can be answered side by side is asked at the same time; every question once. */
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
