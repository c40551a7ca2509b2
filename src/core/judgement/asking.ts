import type { AnswerTo, Question } from './questions.ts'

/**
 * A part of the decision procedure, written as if answers were at hand: it yields the questions that can be answered side by side, and
 * goes on with their answers. `next` runs it from its start each time, so it must be a pure function of its arguments and the answers.
 */
export type Asking<Result> = Generator<readonly Question[], Result, readonly unknown[]>

/** Asks one question. */
export function* ask<const Asked extends Question>(question: Asked): Asking<AnswerTo<Asked>> {
  const [answer] = yield [question]
  // `next` answers by the question's key, and `Answers` is only filled with the answer type of its kind.
  return answer as AnswerTo<Asked>
}

type Results<Parts extends readonly Asking<unknown>[]> = {
  readonly [At in keyof Parts]: Parts[At] extends Asking<infer Result> ? Result : never
}

/** Runs several parts side by side: what they ask at the same time is asked together. */
export function* together<const Parts extends readonly Asking<unknown>[]>(
  parts: Parts,
): Asking<Results<Parts>> {
  const turns = parts.map((part) => part.next([]))
  while (turns.some(({ done }) => done !== true)) {
    const asked = turns.map((turn) => (turn.done === true ? [] : turn.value))
    const answers = yield asked.flat()
    let from = 0
    for (const [at, part] of parts.entries()) {
      const questions = asked[at] ?? []
      const turn = turns[at]
      if (turn === undefined || turn.done === true) continue
      turns[at] = part.next(answers.slice(from, from + questions.length))
      from += questions.length
    }
  }
  // Each turn is the last of its part.
  return turns.map(({ value }) => value) as unknown as Results<Parts>
}
