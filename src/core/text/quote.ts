import { masked } from './secrets.ts'

const MAX_QUOTE_LENGTH = 160

/** All kinds of line breaks, control characters and characters that only affect the display. */
const NOT_SHOWN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\s]+/gu

/**
 * Returns foreign text as a code span that it can't break out of: one line, at most 160 characters, backticks replaced by apostrophes.
 * Nothing in it is Markdown anymore, so it can be embedded in the supervisor's text.
 */
export function quote(text: string, maxLength = MAX_QUOTE_LENGTH): string {
  const line = oneLine(text).replaceAll('`', "'")
  return `\`${cut(line === '' ? '(empty)' : line, maxLength)}\``
}

/**
 * Returns what an agent, its program or its service said, for use in a sentence: in quotation marks that it can't close, on one
 * line, at most `maxLength` characters, secrets masked. Empty if there are no words.
 */
export function quoteAgent(text: string, maxLength = MAX_QUOTE_LENGTH): string {
  const line = masked(oneLine(text)).replace(/[“”„‟«»]/gu, '"')
  return line === '' ? '' : `“${cut(line, maxLength)}”`
}

/** Returns the text on one line, without invisible characters. */
export function oneLine(text: string): string {
  // Truncate first: the rest need not be searched.
  return text
    .slice(0, 8 * 1024)
    .replace(NOT_SHOWN, ' ')
    .trim()
}

/** Returns the text with at most `maxLength` characters, ending in an ellipsis if it was longer. Surrogate pairs stay whole. */
export function cut(text: string, maxLength: number): string {
  const characters = [...text.slice(0, 2 * maxLength)]
  if (characters.length <= maxLength && text.length <= 2 * maxLength) return text
  return `${characters.slice(0, maxLength - 1).join('')}…`
}
