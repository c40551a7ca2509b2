import { grouped } from '../../core/text/grouped.ts'

/** A schema issue, in zod's form; other libraries' issues have only a message. */
export interface Issue {
  readonly message: string
  readonly code?: unknown
  readonly origin?: unknown
  readonly minimum?: unknown
  readonly maximum?: unknown
  readonly expected?: unknown
}

/**
 * Returns what was expected, in a consistent wording: `expected at most 2,000 characters`. Our own messages are kept, and follow
 * `expected`.
 */
export function issueWords(issue: Issue): string {
  switch (issue.code) {
    case 'too_small':
      return bound(issue.origin, issue.minimum, 'at least', issue.message)
    case 'too_big':
      return bound(issue.origin, issue.maximum, 'at most', issue.message)
    case 'invalid_value':
      return issue.message.replace(/^Invalid (option|input): /, '')
    case 'invalid_type':
      return mismatch(issue)
    default:
      return asExpected(issue.message)
  }
}

function bound(origin: unknown, limit: unknown, word: string, message: string): string {
  // A custom message says more than its limit.
  if (!/^Too (small|big)/.test(message)) return asExpected(message)
  if (word === 'at least' && limit === 1 && origin === 'string') return 'expected a text that is not empty'
  const number = grouped(Number(limit))
  if (origin === 'string') return `expected ${word} ${number} character${limit === 1 ? '' : 's'}`
  if (origin === 'array') return `expected ${word} ${number} ${limit === 1 ? 'entry' : 'entries'}`
  return `expected a number of ${word} ${number}`
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

function mismatch({ expected, message }: Issue): string {
  const type = TYPES[String(expected)]
  if (type === undefined || !message.startsWith('Invalid input')) return asExpected(message)
  const received = /received (\w+)$/.exec(message)?.[1]
  if (received === undefined) return `expected ${type}`
  if (received === 'undefined') return `is missing: expected ${type}`
  return `expected ${type}, found ${received === 'NaN' ? 'none' : (TYPES[received] ?? received)}`
}

/** Adds "expected" to messages that say what was expected, such as `a name of letters and digits`; other messages are sentences. */
function asExpected(message: string): string {
  return /^(an?|the|at (least|most)|one of|text|letters|digits|hours) /.test(message)
    ? `expected ${message}`
    : message
}
