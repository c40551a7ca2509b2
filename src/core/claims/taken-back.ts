import type { Claim } from './types.ts'

/*
 * Statements that take back a word of completion. An agent that says "done" and names unfinished work has not completed its task, however
 * it words it. Only plain English statements count. A condition ("if X is missing"), a denial ("nothing is missing") and the past ("was
 * still missing") don't count, because an honest agent that has finished writes those too.
 */

const DONE = '(?:done|implemented|tested|finished|completed?|written|verified)'
/** What a task consists of. */
const PIECES =
  '(?:tests?|docs?|documentation|review|verification|validation|implementation|integration|deployment|migration|cleanup|refactoring|coverage|work|changes?|(?:error |edge )?(?:handling|cases?)|rest|it|this|that)'
const ADMISSIONS: readonly RegExp[] = [
  // "I did not get to the error handling", "we couldn't test it"; not "the old loop did not finish", which describes a bug.
  /\b(?:did(?: not|n['’]t)|could(?: not|n['’]t)|have(?: not|n['’]t)|has(?: not|n['’]t)|unable|not able)\s+(?:yet\s+)?(?:to\s+)?(?:(?:get|got|gotten)\s+(?:around\s+)?to|manage[d]?\s+to|(?:have|had)\s+time)\b/i,
  /(?:^\W*|\b(?:I|we)\s+(?:\w+\s+)?)(?:(?:did|could|have|was|were|am|are)(?: not|n['’]t)|haven['’]t|unable)\s+(?:yet\s+)?(?:been\s+)?(?:able\s+)?(?:to\s+)?(?:finish(?:ed)?|complete[d]?|implement(?:ed)?|test(?:ed)?|verif(?:y|ied)|address(?:ed)?|run\s+(?:the |any |all )?tests?)\b/i,
  /\bran out of (?:time|budget|context)\b/i,
  // "is still missing", "the tests still fail", "is not yet implemented", "not tested"
  /\bstill\s+(?:missing|pending|open|failing|fails?|broken|left|needs?|needed|outstanding|to do|to be done|incomplete|unfinished|lacks?)\b/i,
  new RegExp(`\\bnot yet\\s+(?:been\\s+)?(?:fully\\s+)?${DONE}\\b`, 'i'),
  /\bnot\s+(?:been\s+)?(?:fully\s+)?tested\b/i,
  /\b(?:is|are|remains?)\s+(?:currently\s+)?(?:to be (?:done|implemented|written|tested)|left (?:to do|undone)|outstanding|unfinished|incomplete|untested|unimplemented|deferred|not (?:done|implemented|finished|completed?|written))\b/i,
  /\b(?:tasks?|items?|issues?|steps?|work|parts?|failures?|tools?|cases?)\s+(?:still\s+)?remains?\b/i,
  /\b(?:tests?|suite|build|code|it)\s+(?:do|does)(?: not|n['’]t)\s+(?:yet\s+)?(?:work|pass|compile|build)\b/i,
  // "the tests are pending", "error handling is still pending"; not "3 jobs are pending" or "lists what is pending", which tell of the result.
  new RegExp(
    `^\\W*(?:(?:the|some|all|a few|more|unit|integration|its|their|my)\\s+)*(?:${PIECES})\\s+(?:(?:is|are|remains?)\\s+(?:still\\s+|currently\\s+)?)?pending\\W*$`,
    'i',
  ),
  // "The tests were not run.", "I skipped the tests"; not "2 tests skipped", a count of a test run, or "the tests were not run in CI".
  /\b(?:tests?|suite|testing)\s+(?:(?:was|were|is|are|have|has)\s+)?(?:not\s+(?:been\s+)?(?:run|executed)|(?:was|were)\s+omitted)\W*$/i,
  /(?:^\W*|\bI\s+)(?:skipped|omitted)\s+(?:the\s+|all\s+)?(?:tests|testing)\b|^\W*(?:untested|pending)\W*$/i,
  // "has yet to be added", "the rest is TODO", "WIP", "a stub for now"
  /\b(?:has|have|is|are)\s+yet\s+to\s+be\b|\b(?:is|are)\s+(?:still\s+)?(?:TODO|WIP|(?:a )?work in progress)\b|^\W*(?:WIP|work in progress)\b/i,
  /\b(?:stub(?:bed)?|placeholder|hard-?coded|mocked)\b.{0,40}\bfor now\b/i,
  // "left for later", "deferred to a follow-up", "I will add it in the next iteration"
  /\b(?:left|deferred|postponed)\s+(?:\w+\s+){0,4}?(?:for|to|until)\s+(?:later|a|an|the next|another|next|tomorrow)\b/i,
  /\bwill\s+(?:do|finish|complete|add|handle|tackle|implement|fix)\b.{0,80}\b(?:later|next (?:time|run|iteration|heartbeat|attempt)|in a follow-?up)\b/i,
  /\b(?:pending|awaiting|waiting (?:for|on)|subject to)\s+(?:your|approval|review|confirmation|sign-?off|a decision|the operator)\b/i,
]
/** Exceptions that, next to a word of completion in the same sentence, exclude a part of the work. */
const EXCEPTION =
  /\b(?:except(?:ing)?|apart from|aside from|other than|save for|all but|everything but|but (?:not|for|without)|pending|deferred|partially|partly|mostly|so far)\b/i
/** Words before an exception that make it a description of what was built: "a rule that matches everything except …". */
const OF_THE_CODE = /\b(?:that|which)\s+\w{2,}s\b/i
const OF_ALL = /\b(?:everything|all of (?:it|them)|done|completed?|finished|implemented)\b/i
/** Words before an admission, in its clause, that make it a condition, a denial, the past or someone else's message. */
const NO_ADMISSION =
  /\b(?:no|none|nothing|never|neither|nor|not|without|if|when|whenever|whether|where|unless|until|once|in case|was|were|had|longer|handles?|warns?|throws?|errors? (?:if|when|for)|says?|instead of|avoid\w*|prevents?)\b|n['’]t\b/i
/** "Remaining work: the delete path", "Not tested: x", "Tasks remaining: 3". But "Pending: 3" is a value. */
const LABEL =
  /^\W*(?:remaining(?:[ _]\w+)?|(?:tasks?|items?|work|steps?|issues?)[ _](?:remaining|left)|still (?:open|missing|to do)|left to do|to-?do|not (?:done|tested|implemented|finished)|deferred|outstanding(?: \w+)?|pending(?: (?:work|tasks?|items?|steps?))?(?!\W*\d)|unfinished|incomplete|known gaps?|postponed)(?:\W{0,3}[:–—=]\W{0,3}(.*)|\W*)$/i
const NONE = /^\W*(?:none|nothing|no|0|zero|n\/?a|nil|false|empty)(?!\w|\.\d)/i

const CLAUSE_END = /(?<!\.)[.;!](?:\s+|$)|\s[–—]\s/
const MAX_TEXT = 2000
const MAX_SHOWN = 120

/**
 * Returns the first sentence that names work that is not done, quoted and truncated; null if there is none. Linear; never
 * throws.
 */
export function findAdmission(texts: readonly string[]): string | null {
  for (const [index, text] of texts.entries()) {
    const sentence = admissionIn(text, texts[index + 1])
    if (sentence !== null)
      return `it says "${sentence.length > MAX_SHOWN ? `${sentence.slice(0, MAX_SHOWN - 1)}…` : sentence}"`
  }
  return null
}

function admissionIn(text: string, next: string | undefined): string | null {
  const words = text
    .slice(0, MAX_TEXT)
    .replace(/[*_`#"“”„]+/g, ' ')
    .trim()
  const label = LABEL.exec(words)
  // Below such a heading, a checked item is done.
  const left = label?.[1] || next?.replace(/^\[[xX✓]\].*/u, '')
  if (label !== null && left !== undefined) return isNone(left) ? null : words
  const admits = words.split(CLAUSE_END).find((clause) => isAdmission(clause.trim()))
  return admits?.trim() ?? null
}

function isAdmission(clause: string): boolean {
  if (clause.endsWith('?')) return false
  const at = ADMISSIONS.map((pattern) => clause.search(pattern)).filter((index) => index >= 0)
  if (at.some((index) => !NO_ADMISSION.test(clause.slice(0, index)))) return true
  const excepted = clause.search(EXCEPTION)
  const before = clause.slice(0, Math.max(0, excepted))
  return excepted >= 0 && OF_ALL.test(clause) && !NO_ADMISSION.test(before) && !OF_THE_CODE.test(before)
}

function isNone(value: string): boolean {
  return value.trim() === '' || NONE.test(value)
}

/** Returns whether a report's field for remaining work is empty: no entry, or words for none. */
export function isNoneLeft(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === 0) return true
  if (typeof value === 'string') return isNone(value)
  if (Array.isArray(value)) return value.every(isNoneLeft)
  return typeof value === 'object' && Object.keys(value).length === 0
}

/** Returns the claim without its completion, with the reason in words. Its other content stays. */
export function withoutCompletion(claim: Claim, reason: string): Claim {
  return {
    ...claim,
    status: claim.status === 'done' ? null : claim.status,
    exitSignal: claim.exitSignal === true ? null : claim.exitSignal,
    incomplete: reason,
  }
}

/** Returns the claim adjusted for what the text says is left: `admission`, from `findAdmission`. */
export function settleClaim(claim: Claim, admission: string | null): Claim {
  const isComplete = claim.status === 'done' || (claim.status === null && claim.exitSignal === true)
  if (!isComplete) return claim
  const reason = claim.exitSignal === false ? 'EXIT_SIGNAL is false' : admission
  return reason === null ? claim : withoutCompletion(claim, reason)
}

const ALREADY =
  /\balready\s+(?:true|done|so|in place|there|correct|up[- ]to[- ]date|fixed|implemented|present|satisf\w+|met|complete|the case|holds?|exists?|says?|has|have)\b|\bnothing\s+(?:left\s+)?(?:to (?:change|do|fix)|(?:needs?|needed|had) to (?:be )?(?:changed?|done?))\b|\bno changes?\s+(?:(?:is|are|was|were)\s+)?(?:needed|necessary|required)\b/i

/** Returns whether a text says that the requested state already existed. Linear; never throws. */
export function saysAlready(text: string): boolean {
  return ALREADY.test(text.slice(0, MAX_TEXT))
}
