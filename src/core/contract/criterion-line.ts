import { escapePipes, splitAtPipes, unwrapCode } from './task-line.ts'

/** What an acceptance criterion says: its words, and its own hint where its last field is `verify: hint`. */
export interface CriterionLine {
  readonly text: string
  /** Without its prefix; `null` where it has none. */
  readonly verify: string | null
  /** Where its words end in the content; the hint with its pipe stands behind. */
  readonly wordsEnd: number
  /** A field before the hint is one too: it counts as words, and nothing measures it. */
  readonly hasFurtherHint: boolean
}

const PREFIX = /^verify\s*:/i

/** Reads the words of a criterion behind its box. A pipe that no hint follows belongs to the words. Takes any text. */
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

/** A hint as it is written behind a criterion's words; empty where there is none. */
export function writeCriterionHint(verify: string | null): string {
  return verify === null || verify.trim() === '' ? '' : ` | verify: ${escapePipes(verify.trim())}`
}
