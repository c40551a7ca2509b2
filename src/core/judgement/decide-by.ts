import type { WorkCase } from './case.ts'
import type { WorkJudgement } from './judgement.ts'
import { next } from './next.ts'
import { type Answer, NO_ANSWERS, type Question, withAnswers } from './questions.ts'

/** Returns the judgement of work when every answer is already known. `answer` throws for a question that it does not expect. */
export function decideBy(subject: WorkCase, answer: (question: Question) => Answer): WorkJudgement {
  let known = NO_ANSWERS
  for (;;) {
    const step = next(subject, known)
    if ('decided' in step) return step.decided
    known = withAnswers(
      known,
      step.ask.map((question) => [question, answer(question)] as const),
    )
  }
}
