import { escapePipes, splitAtPipes, unwrapCode } from './task-line.ts'

/** An acceptance criterion's text, and its own check if its last field is `verify: check`. */
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

/** Parses the text of a criterion after its box. A pipe that isn't followed by a check belongs to the text. Accepts any text. */
export function readCriterionLine(content: string): CriterionLine {
  const fields = splitAtPipes(content)
  const last = fields.at(-1)
  const hint =
    last !== undefined && PREFIX.test(last.value) ? unwrapCode(last.value.replace(PREFIX, '').trim()) : ''
  if (last === undefined || fields.length < 2 || hint === '')
    return {
      text: content.trim(),
      verify: null,
      wordsEnd: content.trimEnd().length,
      hasFurtherHint: false,
    }
  const words = content.slice(0, last.from - 1).trimEnd()
  const hasFurtherHint = fields.slice(1, -1).some(({ value }) => PREFIX.test(value))
  return { text: words.trim(), verify: hint, wordsEnd: words.length, hasFurtherHint }
}

/** Returns a check as written after a criterion's text; empty if there is none. */
export function writeCriterionHint(verify: string | null): string {
  return verify === null || verify.trim() === '' ? '' : ` | verify: ${escapePipes(verify.trim())}`
}
