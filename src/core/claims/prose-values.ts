import { parseJson } from '../text/json.ts'
import { hasScale, spokenNumbers } from './prose-number.ts'
import type { JsonValue } from './types.ts'

/*
 * Finds `name: value` and `name = value` (not `==`, `=>`, `>=`) for names of probes, with optional quotes or Markdown marks
 * around the name and an optional dotted path after it. The value is a number, a quoted text, a JSON object or list up to the
 * end of the line, or a single word that ends the line.
 */
const NUMBER = /^([+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[+-]?\d+)?)(?![\w/:-]|[.,]\d)%?/i
/** A number with its grouping, a unit or a word, and a total if it is part of one. */
const PHRASE =
  /^[+-]?(?:\d{1,3}(?:[.,'’_ \u00a0\u202f]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?)(?:e[+-]?\d+)?(?![\w/:-]|[.,]\d)(?:\s{0,2}%|\s[a-z]{1,20}\b)?(?:\s(?:of|out of|to)\s\d+)?/i
const QUOTED = /^(?:"([^"]{0,500})"|'([^']{0,500})'|`([^`]{0,500})`|[„“]([^“”"]{0,500})[“”"])/
const WORD = /^([A-Za-z][\w.+-]{0,100}?)[.!]?$/
/** Words for a missing value. */
const NO_VALUE = /^(?:unknown|n\/?a|tbd|todo|pending|check(?:ed|ing)?|verified|see|none|null|undefined)$/i
/** Words before the name that make it an expectation, a condition, a change, or code. */
const NOT_A_STATEMENT =
  /\b(?:should|expect(?:ed|s)?|would|will|if|when|until|unless|must|target|goal|needs?|before|was|were|previous(?:ly)?|example|e\.g|verify|whether|assert|let|const|var|return|not)\b|\?\s*$/i
const CHANGES = /^[\s`*_]*(?:→|->|=>|⇒|to\b)/
/** "0 before, 3 now", "5 mails expected, 3 found". But "3 as before" and "3 (expected 3)" state the current value. */
const NOT_NOW =
  /^[`*_]*\s+(?:(?!(?:as|like|than|and|not)\b)[a-z]{1,20}\s+)?(?:(?:before|initially|previously|originally|at first|at the (?:start|beginning)|earlier|expected)\b|\((?:before|initially|previously|originally|at first|earlier)\))/i

const MAX_LINE_LENGTH = 2000

/**
 * Returns the values that a text gives for probes, by name as written (a dotted path included). The last one counts. Skips
 * lines of code, expectations and questions. Never throws.
 */
export function findSpokenValues(
  lines: readonly string[],
  probeNames: readonly string[],
): Readonly<Record<string, JsonValue>> {
  const names = probeNames.filter((name) => name !== '')
  if (names.length === 0) return {}
  const pattern = namePattern(names)
  const values = new Map<string, JsonValue>()
  for (const line of lines) {
    const text = line.slice(0, MAX_LINE_LENGTH)
    if (/[;{]\s*$/.test(text)) continue
    for (const match of text.matchAll(pattern)) {
      if (NOT_A_STATEMENT.test(text.slice(0, match.index))) continue
      const value = readValue(text.slice(match.index + match[0].length))
      if (value !== undefined) values.set(match[1] ?? '', value)
    }
  }
  return Object.fromEntries(values)
}

function namePattern(names: readonly string[]): RegExp {
  const alternatives = [...names]
    .sort((a, b) => b.length - a.length)
    .map((name) => name.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&'))
    .join('|')
  return new RegExp(
    `(?<![\\w.$/-])["'\`*_]{0,3}((?:${alternatives})(?:\\.\\w{1,100}){0,8})["'\`*_]{0,3}[ \\t]{0,8}(?::(?!:)|=(?![=>~]))[*_]{0,3}[ \\t]{0,40}`,
    'g',
  )
}

function readValue(rest: string): JsonValue | undefined {
  const text = rest.replace(/^[*_]{1,3}/, '').trimEnd()
  const number = NUMBER.exec(text)
  const behind = number === null ? '' : text.slice(number[0].length)
  if (isOfAnotherTime(behind)) return undefined
  const spoken = readNumber(text)
  if (spoken !== null) return spoken
  const quoted = QUOTED.exec(text)
  if (quoted !== null) {
    const content = quoted.slice(1).find((group) => group !== undefined) ?? ''
    return isOfAnotherTime(text.slice(quoted[0].length)) ? undefined : numberOrText(content)
  }
  if (/^[{[]/.test(text)) return parseJson(text.replace(/[`*_.,]+$/, '')) as JsonValue | undefined
  const word = WORD.exec(text.replace(/[`*_"']+$/, '').replace(/,$/, ''))?.[1]
  if (word === undefined || NO_VALUE.test(word)) return undefined
  return /^(?:true|false)$/i.test(word) ? word.toLowerCase() === 'true' : word
}

function isOfAnotherTime(behind: string): boolean {
  return CHANGES.test(behind) || NOT_NOW.test(behind)
}

/** Returns the number at the beginning of a text, or the text itself if its marks or its unit are ambiguous. */
function readNumber(text: string): number | string | null {
  const phrase = PHRASE.exec(text)?.[0]
  if (phrase === undefined) return null
  const [number, ...others] = spokenNumbers(phrase)
  // Running text is read as English, in which a comma groups digits. A point may group them too.
  const isSettled = number !== undefined && (others.length === 0 || phrase.includes(','))
  return isSettled && !hasScale(phrase) ? number : phrase
}

/** Parses `email_count: `3`` as a number: code marks don't make it text. */
function numberOrText(content: string): JsonValue {
  const trimmed = content.trim()
  return /^[+-]?\d+(?:\.\d+)?$/.test(trimmed) ? Number(trimmed) : trimmed
}
