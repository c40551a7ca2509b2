import type { ClaimStatus } from '../vocabulary/task.ts'
import type { ProseUnit } from './prose.ts'
import { statusOf } from './status-word.ts'
import { replaceName } from './task-name.ts'

/** `EXIT_SIGNAL: true`, `**EXIT_SIGNAL:** true`, but not the template `EXIT_SIGNAL: true|false` or `true or false`. */
const EXIT_SIGNAL =
  /\bEXIT[_ -]SIGNAL["'`*]{0,3}\s{0,4}[:=]["'`*]{0,3}\s{0,4}["'`*]{0,3}(true|false)\b(?!["'`*]{0,3}\s{0,3}(?:[|/]|(?:or|only|if|when|once|unless|until|else|will|would|should|must|may|yet|comes|follows)\b))/gi
const NO_EXIT_SIGNAL =
  /\b(?:not|never|without|until|unless|once|when|if|would|will|should|must|after|before|cannot|can|may)\b|n['’]t\b|\bno\s+["'`*]{0,3}$/i

/** How many characters before an exit signal are searched for a negation. A line may be megabytes long. */
const MAX_BEFORE = 200

/** An aside set off from its sentence by dashes. */
const SET_OFF = /\s[–—]\s[^–—]*\s[–—]\s/g
/** Matches the end of a sentence, but not after "e.g.". */
const SENTENCE_END = /(?<!\.[a-z]?)[.;!?]\s+|\s[–—]\s/i

/** `Status: done`, `**Final status:** failed`. More than three words after the label are read as a sentence. */
const STATUS_LABEL =
  /^\W*(?:(?:task|final|overall|current)[ _]+)?status\s{0,4}[:=]\s{0,4}([\p{L}\p{N}_-]+(?: [\p{L}\p{N}_-]+){0,2})[\s.!]*$/iu
const MARKS = /[*`#"“”„]+/g
/** The same label in capitals, as in status blocks, which may be inside a fence. */
const STATUS_IN_BLOCK =
  /^\W*STATUS["'`*]{0,3}\s{0,4}[:=]\s{0,4}["'`*]{0,3}([A-Z][A-Z_ -]{0,60})["'`*]{0,3}\s*$/
/** A status field in a report that is not valid JSON. */
const STATUS_FIELD = /["']status["']\s{0,4}:\s{0,4}["'](\w+)["']/i
/** `Tasks completed: 2`, `TASKS_COMPLETED_THIS_LOOP: 0`: a counter or label, not a sentence. */
const COUNTER =
  /^\W*(?:[\w ]{1,60}[:=]\s*[+-]?\d[\d.,]*(?:\s*(?:\/|of)\s*\d+|\s*%)?\W*|[A-Z]+(?:_[A-Z]+)+\W{0,3}[:=].*)$/

/** Matches the end of a clause. Text before it doesn't affect what comes after. */
const CLAUSE_END = /(?<!\.)[.;!](?:\s+|$)|\s[–—]\s|,?\s+but\s+|,\s+(?=(?:I|we|then|so)\b)/i
/** Words before a failure that make it a condition. */
const CONDITION = /\b(?:if|when|once|until|till|before|unless|whether|in case|how)\b/i
/** Words before a completion that make it a condition, a plan, a part of the work, or someone else's. */
const NOT_A_CLAIM =
  /\b(?:no|none|nothing|not|never|nor|if|when|once|until|till|before|after|will|would|should|shall|could|can|may|might|must|to be|to get|as soon as|unless|needs?|almost|nearly|half|partial(?:ly)?|partly|mostly|whether|how|what|get(?:ting)?|want|let|says?|claims?|asks?|\d{1,3} ?%|user|you|else|rest|otherwise)\b/i
const PART =
  /\b(?:steps?|phases?|parts?|half|stages?|builds?|compil\w{1,6}|install\w{0,8}|downloads?|uploads?|analysis|research|reading|review|planning|setup|first|second|npm|previous|tests?|requests? \w+)\b/i
const COUNTED = /\b(\d{1,6})\s*(?:of|\/|out of)\s*(\d{1,6})\b/i

const WORD = '(?:done|completed?|finished)'
const THINGS = '(?:tasks?|work|job|everything|assignments?|items?|heartbeat|requests?)'
const FILLER = '(?:(?:now|all|both|fully|successfully|also)\\s+)'

const UNFINISHED: readonly RegExp[] = [
  new RegExp(
    `(?:\\bnot|n['’]t|\\bnever)\\s+(?:(?:yet|been|be|fully|entirely|quite|all|have|it|get)\\s+){0,3}${WORD}\\b`,
    'i',
  ),
  /\b(?:unable to|fail(?:ed)? to|cannot|can['’]t|could(?: not|n['’]t)|not able to|not possible to|was(?: not|n['’]t) able to)\s+(?:be\s+)?(?:fully\s+)?(?:complete|finish|perform|accomplish|do (?:this|it|so|the task))/i,
  /\b(?:task|job|heartbeat|work) (?:has |have |is |was |remains |still )?(?:failed|incomplete|unfinished)\b/i,
  /\b(?:is|are|remains?|still) (?:incomplete|unfinished)\b/i,
  /^\W*(?:i |i have |i['’]ve )?(?:failed|giving up|gave up)\W*$/i,
]
const FINISHED: readonly RegExp[] = [
  // "Done.", "All done:", "Task complete", "Completed successfully"
  new RegExp(
    `^\\W*(?:(?:all|and|it['’]s|that['’]s|we['’]re|i['’]m|now|successfully)\\s+)*(?:${THINGS}\\s*[:–—-]?\\s+)?(?:(?:is|are)\\s+)?${FILLER}*${WORD}(?:\\W*$|\\s*[:,(–—-]|\\s+(?:successfully|with|and)\\b)`,
    'i',
  ),
  // "everything is now done", "the report has been completed"
  new RegExp(
    `(?:\\b(?:is|are|was|were|been|I am|I['’]m|we['’]re)|['’]s)\\s+${FILLER}*${WORD}(?:\\W*$|\\s*[,:)]|\\s+(?:and|with|as|now|here|successfully)\\b)`,
    'i',
  ),
  new RegExp(`\\b${THINGS}\\s+${FILLER}*(?:done|completed?|finished)\\b`, 'i'),
  // "I have completed all the tasks"
  new RegExp(
    `\\b(?:completed|finished|accomplished)\\s+(?:(?:the|this|all|your|my|both|every|each|of|these|its|assigned|requested|required|optional|open|given)\\s+)*${THINGS}\\b`,
    'i',
  ),
]
/** "Task completed: no", "done = false", "Done: nothing yet". But "Done: no changes were needed" only says how it went. */
const DENIED = new RegExp(
  `\\b${WORD}\\s{0,4}[:=?]\\s{0,4}(?:no|false|not(?: yet| done)?|(?:nothing|none) yet)\\s{0,4}(?:$|[,(])`,
  'i',
)
const SKIPPED =
  /\b(?:skipped|skipping) (?:this|the|that) (?:optional )?task\b|\btask (?:was|is|has been) skipped\b/i

/** Returns the last `EXIT_SIGNAL` in a text; null if there is none. Never throws. */
export function findExitSignal(lines: readonly string[]): boolean | null {
  let signal: boolean | null = null
  for (const line of lines) {
    let quotes = 0
    let counted = 0
    for (const match of line.matchAll(EXIT_SIGNAL)) {
      quotes += quotesIn(line.slice(counted, match.index))
      counted = match.index
      if (!NO_EXIT_SIGNAL.test(sentenceBefore(line, match.index, quotes)))
        signal = match[1]?.toLowerCase() === 'true'
    }
  }
  return signal
}

/**
 * Returns the text of the same sentence before a signal. In "Nothing more can be done. EXIT_SIGNAL: true", the negation is in another
 * sentence and doesn't count, unless that sentence opens a quotation. `quotes` is the number of quotation marks before it in the whole
 * line.
 */
function sentenceBefore(line: string, index: number, quotes: number): string {
  const before = line.slice(Math.max(0, index - MAX_BEFORE), index)
  const own = quotesIn(/["'`*]*$/.exec(before)?.[0] ?? '')
  const isQuoted = (quotes - own) % 2 === 1
  return isQuoted ? before : (before.replace(SET_OFF, ' ').split(SENTENCE_END).at(-1) ?? '')
}

function quotesIn(text: string): number {
  return text.match(/"/g)?.length ?? 0
}

/** What a text says about the state of the task. */
export interface SpokenStatus {
  readonly status: ClaimStatus | null
  /** Index of the last unit that says so; -1 if it was a label, or nothing. */
  readonly at: number
  /** The value of the last status label if it is not a known word, such as "IN_PROGRESS". It outweighs every sentence. */
  readonly unknown: string | null
}

/**
 * Returns whether a text says that the task is done, failed or skipped: by a status label, or by words of completion that are not negated,
 * conditional or about a part of the work. The last one counts. Counters and other labels are not sentences. Never throws.
 */
export function findSpokenStatus(units: readonly ProseUnit[], taskId: string): SpokenStatus {
  let found: SpokenStatus = { status: null, at: -1, unknown: null }
  for (const [index, { text }] of units.entries()) {
    const words = withoutMarks(text, taskId)
    const stated = (STATUS_LABEL.exec(text.replace(MARKS, ' ')) ?? STATUS_FIELD.exec(text))?.[1]
    if (stated !== undefined) {
      const status = statusOf(stated.replaceAll('_', ' '))
      found = { status: status ?? found.status, at: -1, unknown: status === null ? stated : null }
    } else if (!isLegend(words) && !COUNTER.test(text)) {
      for (const clause of words.split(CLAUSE_END)) {
        const status = statusOfClause(clause)
        if (status !== null) found = { ...found, status, at: index }
      }
    }
  }
  return found
}

/** Returns the last status that a block of labels in capitals gives if it is not a known word; otherwise null. */
export function findUnknownStatus(lines: readonly string[]): string | null {
  const stated = lines.map((line) => STATUS_IN_BLOCK.exec(line)?.[1]).findLast((word) => word !== undefined)
  return stated === undefined || statusOf(stated.replaceAll('_', ' ')) !== null ? null : stated.trim()
}

/** Returns whether the words explain the possible statuses instead of choosing one: "`status`: done (all of it), skipped or failed". */
function isLegend(words: string): boolean {
  return (
    /\bstatus\b/i.test(words) && new Set(words.toLowerCase().match(/\b(?:done|skipped|failed)\b/g)).size > 1
  )
}

/** Removes Markdown and quotation marks, and treats the task's id (`finish_report`) as a plain name. */
function withoutMarks(text: string, taskId: string): string {
  return replaceName(text, taskId, 'task').replace(/[*_`#"“”„]+/g, ' ')
}

function statusOfClause(clause: string): ClaimStatus | null {
  const words = clause.trim()
  if (words === '' || words.endsWith('?')) return null
  if (SKIPPED.test(words)) return 'skipped'
  const unfinished = before(words, UNFINISHED)
  if (unfinished !== null) return CONDITION.test(unfinished) ? null : 'failed'
  if (DENIED.test(words)) return null
  const finished = before(words, FINISHED)
  const isClaim =
    finished !== null && !NOT_A_CLAIM.test(finished) && !PART.test(finished) && !isPartial(words)
  return isClaim ? 'done' : null
}

/** Returns the text before the first pattern that matches; null if none does. */
function before(words: string, patterns: readonly RegExp[]): string | null {
  for (const pattern of patterns) {
    const position = words.search(pattern)
    if (position >= 0) return words.slice(0, position)
  }
  return null
}

function isPartial(words: string): boolean {
  const [, part, whole] = COUNTED.exec(words) ?? []
  return part !== undefined && whole !== undefined && Number(part) < Number(whole)
}
