import { withoutNamedSecrets, withoutSecrets } from './secrets.ts'

const MAX_QUOTE_LENGTH = 160

/** Line breaks of every kind, control characters and those that only steer how text is shown. */
const NOT_SHOWN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\s]+/gu

/**
 * Foreign text as a code span that it cannot leave: one line, at most 160 characters, backticks turned into apostrophes.
 * Nothing in it is Markdown any more, so it can stand among the supervisor's own words.
 */
export function quote(text: string, maxLength = MAX_QUOTE_LENGTH): string {
  const line = oneLine(text).replaceAll('`', "'")
  return `\`${cut(line === '' ? '(empty)' : line, maxLength)}\``
}

/**
 * What an agent, its program or its service said, for a sentence of ours: in quotation marks that it cannot close, on one line, at
 * most `maxLength` characters, secrets masked. Without words it is an empty text.
 */
export function quoteAgent(text: string, maxLength = MAX_QUOTE_LENGTH): string {
  const line = withoutNamedSecrets(withoutSecrets(oneLine(text))).replace(/[“”„‟«»]/gu, '"')
  return line === '' ? '' : `“${cut(line, maxLength)}”`
}

/** The text on one line, without characters that are not shown. */
export function oneLine(text: string): string {
  // Bounded first: what is cut anyway need not be searched.
  return text
    .slice(0, 8 * 1024)
    .replace(NOT_SHOWN, ' ')
    .trim()
}

/** The text with at most `maxLength` characters, an ellipsis last where it was longer; surrogate pairs stay whole. */
export function cut(text: string, maxLength: number): string {
  const characters = [...text.slice(0, 2 * maxLength)]
  if (characters.length <= maxLength && text.length <= 2 * maxLength) return text
  return `${characters.slice(0, maxLength - 1).join('')}…`
}
