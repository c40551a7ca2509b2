import type { AnswerTo, Question } from './questions.ts'

/**
 * A part of the decision procedure, written as if answers were immediate: it yields questions that can be answered in parallel and
 * continues with their answers. `next` reruns it from the start each time, so it must be a pure function of its arguments and the answers.
 */
export type Asking<Result> = Generator<readonly Question[], Result, readonly unknown[]>

/** Asks one question. */
export function* ask<const Asked extends Question>(question: Asked): Asking<AnswerTo<Asked>> {
  const [answer] = yield [question]
  // `next` answers by the question's key, and `Answers` only declares the answer type of each kind.
  return answer as AnswerTo<Asked>
}

type Results<Parts extends readonly Asking<unknown>[]> = {
  readonly [At in keyof Parts]: Parts[At] extends Asking<infer Result> ? Result : never
}

/** Runs several parts in parallel: questions they ask at the same time are asked together. */
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
  // The loop has ended, so each turn is its part's return value.
  return turns.map(({ value }) => value) as unknown as Results<Parts>
}
