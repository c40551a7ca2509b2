import { escapePipes, splitAtPipes, unwrapCode } from './task-line.ts'

/** An acceptance criterion's text, and its own check if it has a field `verify: check`. */
export interface CriterionLine {
  readonly text: string
  /** The check without its prefix; `null` if there is none. */
  readonly verify: string | null
  /** Where its text ends in the content, before the pipe of the check. */
  readonly wordsEnd: number
  /** True if a field before the check is a check too. It counts as text and isn't measured. */
  readonly hasFurtherHint: boolean
}

const PREFIX = /^verify\s*:/i
const CHECK = /^verify\s*:\s*\S/i

/**
 * Parses the text of a criterion after its box. The check goes to the end of the text: a pipe after it (`exists("a|b")`) is part of it, so
 * that no check is lost without a word. A pipe that isn't followed by a check belongs to the text. Accepts any text.
 */
export function readCriterionLine(content: string): CriterionLine {
  const fields = splitAtPipes(content)
  const at = fields.findLastIndex(({ value }, index) => index > 0 && CHECK.test(value))
  const field = fields[at]
  const written = at === fields.length - 1 ? field?.value : content.slice(field?.from).trim()
  const hint = unwrapCode((written ?? '').replace(PREFIX, '').trim())
  if (field === undefined || hint === '')
    return {
      text: content.trim(),
      verify: null,
      wordsEnd: content.trimEnd().length,
      hasFurtherHint: false,
    }
  const words = content.slice(0, field.from - 1).trimEnd()
  const hasFurtherHint = fields.slice(1, at).some(({ value }) => CHECK.test(value))
  return { text: words.trim(), verify: hint, wordsEnd: words.length, hasFurtherHint }
}

/** Returns a check as written after a criterion's text; empty if there is none. */
export function writeCriterionHint(verify: string | null): string {
  return verify === null || verify.trim() === '' ? '' : ` | verify: ${escapePipes(verify.trim())}`
}
