import { BUILT_IN_FUNCTIONS } from './built-in-functions.ts'
import type { CelProblem } from './cel.ts'

/** Words for the tokens that the expression parser expects. */
const EXPECTED: Readonly<Record<string, string>> = {
  IDENTIFIER: 'a name',
  RPAREN: '")"',
  RBRACKET: '"]"',
  RBRACE: '"}"',
  COLON: '":"',
}

const OUR_CALL = new RegExp(`\\b(?:${BUILT_IN_FUNCTIONS.map(({ name }) => name).join('|')})\\(`)

/** An expression that fails with one of these is well formed, so it was not meant as plain words. */
const EXPRESSION_PROBLEMS = new Set(['invalid_macro_argument', 'limit_exceeded', 'too_deep'])

/**
 * Returns whether a text that is not an expression was meant as plain words: letters, digits and ordinary punctuation, without anything
 * that only an expression has (a comparison, `&&`, `||`, brackets, a call of a built-in function or one with a quoted argument).
 */
export function looksLikeWords(source: string, problem: CelProblem): boolean {
  if (EXPRESSION_PROBLEMS.has(problem.code) || !/[\p{L}\p{N}]/u.test(source)) return false
  return !/\p{Cc}|[=<>[\]{}\\^~$|`]|&&|!\S|\b\w+\(\s*["']/u.test(source) && !OUR_CALL.test(source)
}

/** Returns what is wrong with an expression and where, as a sentence. Characters count from 1. */
export function describeProblem(source: string, { code, summary, from, to }: CelProblem): string {
  const atEnd = from >= source.length
  const found = JSON.stringify(source.slice(from, Math.max(to, from + 1)))
  const place = atEnd ? 'at the end' : `at character ${from + 1}`
  const instead = atEnd ? '' : `, found ${found}`
  switch (code) {
    case 'unexpected_token':
      return `The expression is missing a value ${place}${instead}.`
    case 'expected_token': {
      const expected = EXPECTED[/^Expected (\w+)/.exec(summary)?.[1] ?? ''] ?? 'something else'
      return `The expression needs ${expected} ${place}${instead}.`
    }
    case 'unexpected_character':
      if (found === '"="') return `A single "=" ${place} is not a comparison. Write "==".`
      return `Unexpected ${found} ${place}: either an operator is missing before it, or it does not belong there.`
    case 'limit_exceeded':
    case 'too_deep':
      return 'The expression is nested too deeply or is too long.'
    default:
      return `${summary} ${place}.`
  }
}
