import { COMPLEXITY_LEVELS, type ComplexityLevel } from '../vocabulary/complexity.ts'

export type ComplexityKeywords = Readonly<Record<ComplexityLevel, { readonly keywords: readonly string[] }>>

/** A task with more acceptance criteria than this is one level heavier than its text suggests. */
const CRITERIA_OF_ITS_LEVEL = 3

/**
 * Returns the level of a task by the words of its id, description and criteria: whole words in any case, including plurals and
 * the parts of compounds such as `SwiftUI`. The heaviest matching level wins; without a match it is `medium`.
 */
export function classifyComplexity(
  task: {
    readonly id: string
    readonly description: string
    readonly criteria: readonly { readonly text: string }[]
  },
  levels: ComplexityKeywords,
): ComplexityLevel {
  const words = [task.id, task.description, ...task.criteria.map(({ text }) => text)].join('\n')
  const texts = [splitWords(words), splitCompounds(words)]
  const matches = (keyword: string): boolean => {
    const [word = ''] = [splitWords(keyword).trim()]
    return (
      word !== '' &&
      [word, `${word}s`, `${word}es`].some((form) => texts.some((text) => text.includes(` ${form} `)))
    )
  }
  const heaviest = COMPLEXITY_LEVELS.findLastIndex((level) => levels[level].keywords.some(matches))
  const byWords = heaviest === -1 ? COMPLEXITY_LEVELS.indexOf('medium') : heaviest
  const raised = task.criteria.length > CRITERIA_OF_ITS_LEVEL ? byWords + 1 : byWords
  return COMPLEXITY_LEVELS[Math.min(raised, COMPLEXITY_LEVELS.length - 1)] ?? 'medium'
}

/** Returns runs of letters and digits in lower case, each between spaces. */
function splitWords(text: string): string {
  return ` ${(text.match(/[\p{L}\p{N}]+/gu) ?? []).join(' ').toLowerCase()} `
}

/**
 * Like `splitWords`, with compounds split at their capitals. The alternatives, in order: capitals before a capitalized word
 * (`UI` of `UIView`), a word with or without its capital (`Swift`), capitals alone (`UI` of `SwiftUI`), digits, and letters of
 * scripts without case.
 */
function splitCompounds(text: string): string {
  const parts = text.match(/[\u0080-\uffff]/.test(text) ? PARTS : ASCII_PARTS) ?? []
  return ` ${parts.join(' ').toLowerCase()} `
}

const PARTS = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lu}+|\p{N}+|\p{Lo}+/gu
/** Equivalent for ASCII text. Compiling the Unicode version takes as long as reading a whole contract. */
const ASCII_PARTS = /[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+/g
