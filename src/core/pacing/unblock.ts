import type { Fault } from '../vocabulary/fault.ts'
import type { Outcome } from '../vocabulary/outcome.ts'
import type { SuggestionKind } from '../vocabulary/unblock.ts'
import type { Verdict } from '../vocabulary/verdict.ts'
import { durationWords } from './duration-words.ts'

/** The parts of a past attempt that suggestions are based on. */
export interface PastAttempt {
  readonly kind: 'attempt'
  readonly outcome: Outcome
  readonly verdict: Verdict | null
  readonly fault: Fault | null
  readonly timeoutSeconds: number
  /** The verdict's reasons in words. */
  readonly reason: string
  readonly gateUnavailable: boolean
  /** How many acceptance criteria were checked off when it ended, and how many there were. */
  readonly criteria: { readonly met: number; readonly total: number }
  readonly contradiction?: boolean | undefined
}

export interface BlockHistory {
  /** Newest first. Only what came after the last unblock, and after the last success, matters for the block. */
  readonly entries: readonly (PastAttempt | { readonly kind: 'unblock' })[]
  /** The result of the last sweep; `null` if none has run. */
  readonly swept: SweptCheck | null
}

interface SweptCheck {
  readonly holds: boolean | null
  readonly reason: string
  /** When this was first found: ISO 8601 with the workspace's offset. */
  readonly at: string
}

export interface UnblockSuggestion {
  readonly kind: SuggestionKind
  /** Whole seconds for the next attempt; only with `increase_timeout`. */
  readonly timeoutSeconds: number | null
  /** One sentence: why this is suggested, and where the number comes from. */
  readonly reason: string
}

/**
 * Returns the reason of a sweep in which the check passed, with its time, because it may not pass anymore. Earlier versions wrote "holds
 * now".
 */
function passedAt({ reason, at }: SweptCheck): string {
  const check = reason.replace(/(?: passes| holds) now$/, '')
  return `${check} passed on ${at.slice(0, 10)} at ${at.slice(11, 16)}`
}

/** The factor by which a timeout that was too short is multiplied. */
const TIMEOUT_GROWTH = 1.5
/** How long an unblock can be undone, in seconds. */
export const UNDO_SECONDS = 60
/** The longest timeout that an unblock may set; no sensible attempt takes longer. */
export const MAX_UNBLOCK_SECONDS = 86_400
/** The largest factor for a planned timeout; the result is also limited by the longest timeout. */
export const MAX_UNBLOCK_MULTIPLIER = 1000
/** More attempts than a task is ever given before someone reviews it again. */
export const MAX_RETRY_ATTEMPTS = 1000

/**
 * Returns what to do about a blocked task. The first that applies: its check passes now; more than half of its attempts timed
 * out (then with a number: the next planned timeout or 1.5 times the longest one used, whichever is greater, at most
 * `maxTimeoutSeconds` unless that much was tried already); its acceptance criteria are partly met; a gate could not run;
 * otherwise a review.
 */
export function suggestUnblock(
  { entries, swept }: BlockHistory,
  timeouts: { readonly nextSeconds: number; readonly maxSeconds: number },
): UnblockSuggestion {
  if (swept?.holds === true) {
    return plain(
      'already_done',
      `${passedAt(swept)}. Unblock it, and the next attempt verifies it if it still passes.`,
    )
  }
  const attempts = sinceLastUnblock(entries)
  const counted = attempts.filter(countsAsAttempt)
  const timedOut = counted.filter(({ outcome }) => outcome === 'timeout')
  if (timedOut.length * 2 > counted.length) return longerTimeout(timedOut, counted.length, timeouts)
  const unclear = counted.filter(({ verdict }) => verdict === 'unclear')
  if (unclear.length * 2 > counted.length) {
    return plain(
      'tighten_hint',
      `${unclear.length} of ${counted.length} attempts could be neither verified nor contradicted. Give the task a check that measures its result.`,
    )
  }
  const { met, total } = counted[0]?.criteria ?? { met: 0, total: 0 }
  if (met > 0 && met < total) {
    return plain(
      'skip_subtasks',
      `${met} of ${total} acceptance criteria are met. Keep those and move the others to a separate task, or remove them.`,
    )
  }
  const faulty = attempts.find(({ fault }) => fault === 'contract')
  if (faulty !== undefined && counted.length === 0) {
    return plain('fix_gate', `Its check cannot work: ${faulty.reason}. Fix it, then unblock the task.`)
  }
  if (attempts.some(({ gateUnavailable }) => gateUnavailable)) {
    return plain('fix_gate', 'A gate could not run. Fix it, or correct [gates] in pulseward.toml.')
  }
  if (commonCause(entries) !== null) {
    const each = counted.length > 1 ? 'Trying again would end the same way. ' : ''
    return plain(
      'manual_review',
      `${each}Send the agent a message with what it needs, or change the task in the contract.`,
    )
  }
  const last = counted[0]?.reason ?? ''
  return plain(
    'manual_review',
    `No single cause stands out. View the attempts.${last === '' ? '' : ` The last one: ${last}`}`,
  )
}

function plain(kind: UnblockSuggestion['kind'], reason: string): UnblockSuggestion {
  return { kind, timeoutSeconds: null, reason }
}

function longerTimeout(
  timedOut: readonly PastAttempt[],
  attempts: number,
  { nextSeconds, maxSeconds }: { readonly nextSeconds: number; readonly maxSeconds: number },
): UnblockSuggestion {
  const longest = Math.max(...timedOut.map(({ timeoutSeconds }) => timeoutSeconds))
  const grown = longest * TIMEOUT_GROWTH
  // A suggestion to retry with a timeout that was not enough would be pointless.
  const limit = longest < maxSeconds ? maxSeconds : MAX_UNBLOCK_SECONDS
  const wanted = Math.ceil(Math.max(nextSeconds, grown))
  const seconds = Math.floor(Math.min(wanted, limit))
  const source =
    nextSeconds >= grown
      ? `the next planned timeout is ${clock(nextSeconds)}`
      : `${TIMEOUT_GROWTH} times that is ${clock(wanted)}`
  const limited = seconds < wanted ? `, limited to ${clock(seconds)}` : ''
  return {
    kind: 'increase_timeout',
    timeoutSeconds: seconds,
    reason: `${timedOut.length} of ${attempts} attempts timed out, the longest after ${clock(longest)}; ${source}${limited}.`,
  }
}

/**
 * Returns why a task is blocked, in words: "3 of 3 attempts failed: 2 timeouts (2:00, 3:00), 1 not verified". Timeouts are in
 * the order of the attempts. If the history no longer reaches back, returns only the count.
 */
export function blockReason(
  entries: BlockHistory['entries'],
  progress: { readonly attempts: number; readonly maxAttempts: number },
): string {
  const counted = sinceLastUnblock(entries).filter(countsAsAttempt)
  const kinds = (['timeout', 'error', 'contradiction', 'not_verified', 'unclear'] as const).map((kind) => ({
    kind,
    attempts: counted.filter((attempt) => endingOf(attempt) === kind).reverse(),
  }))
  const failed = counted.some(({ verdict }) => verdict === 'unclear') ? 'used up' : 'failed'
  const count = `${progress.attempts} of ${progress.maxAttempts} attempts ${failed}`
  const parts = kinds
    .filter(({ attempts }) => attempts.length > 0)
    .map(({ kind, attempts }) => sayEnding(kind, attempts))
  return parts.length === 0 ? count : `${count}: ${parts.join(', ')}`
}

/**
 * Returns what most of the attempts that used a task up have in common, in words: "3 of 3: claimed dashboard.html written, and
 * it was not". Figures may differ between attempts; the latest ones are shown. `null` if nothing is shared by more than half,
 * or if it is the timeout, which `blockReason` covers.
 */
export function commonCause(entries: BlockHistory['entries']): string | null {
  const counted = sinceLastUnblock(entries).filter(countsAsAttempt)
  const kindOf = (attempt: PastAttempt) =>
    attempt.outcome === 'timeout' ? '' : firstReason(attempt).replaceAll(/\d+/gu, '0')
  const kinds = counted.map(kindOf)
  const most = kinds
    .map((kind) => counted.filter((_attempt, index) => kinds[index] === kind))
    .find(({ length }) => length * 2 > counted.length)
  const [latest] = most ?? []
  if (most === undefined || latest === undefined) return null
  const cause = firstReason(latest)
  if (cause === '' || latest.outcome === 'timeout') return null
  // A name at the front (`Makefile`) keeps its capital; the first word of a sentence does not.
  const words = /^\p{Lu}\p{Ll}+\s/u.test(cause) ? cause.charAt(0).toLowerCase() + cause.slice(1) : cause
  return `${most.length} of ${counted.length}: ${words}`
}

/** Returns the first of several reasons, which decided. */
function firstReason({ reason }: PastAttempt): string {
  return (reason.split('; ')[0] ?? '').trim()
}

function clock(seconds: number): string {
  return durationWords(seconds * 1000)
}

type Ending = 'timeout' | 'error' | 'contradiction' | 'not_verified' | 'unclear'

function endingOf({ outcome, verdict, contradiction }: PastAttempt): Ending {
  if (outcome === 'timeout' || outcome === 'error') return outcome
  if (contradiction === true) return 'contradiction'
  return verdict === 'unclear' ? 'unclear' : 'not_verified'
}

function sayEnding(kind: Ending, attempts: readonly PastAttempt[]): string {
  const count = attempts.length
  switch (kind) {
    case 'timeout': {
      const limits = attempts.map(({ timeoutSeconds }) => clock(timeoutSeconds))
      const isEach = count > 1 && new Set(limits).size === 1
      return `${count} timeout${count === 1 ? '' : 's'} (${isEach ? `${limits[0]} each` : limits.join(', ')})`
    }
    case 'error':
      return `${count} ended with an error`
    case 'contradiction':
      return `${count} contradiction${count === 1 ? '' : 's'}`
    case 'not_verified':
      return `${count} not verified`
    case 'unclear':
      return `${count} unclear`
  }
}

/** Returns the attempts since the task's count was last reset: unblocked, verified or skipped. Newest first. */
function sinceLastUnblock(entries: BlockHistory['entries']): readonly PastAttempt[] {
  const attempts: PastAttempt[] = []
  for (const entry of entries) {
    if (entry.kind === 'unblock' || entry.verdict === 'verified' || isSkip(entry)) break
    attempts.push(entry)
  }
  return attempts
}

function isSkip({ verdict, fault }: PastAttempt): boolean {
  return verdict === null && fault !== 'environment'
}

/** An unclear attempt that wasn't the agent's fault uses up no attempt, unless the agent's limit ended it. */
function countsAsAttempt({ verdict, fault }: PastAttempt): boolean {
  return verdict !== null && !(verdict === 'unclear' && fault !== 'agent' && fault !== 'limit')
}

export interface RetrySelection {
  readonly unblocked: readonly string[]
  /** `reason` is one sentence with the remedy. */
  readonly refused: readonly { readonly taskId: string; readonly reason: string }[]
}

/**
 * Selects the blocked tasks that may be unblocked without reviewing each: those unblocked this way fewer than
 * `maxAutoUnblockAttempts` times. The operator's own unblocks don't count.
 */
export function selectForRetry(
  blocked: readonly { readonly taskId: string; readonly autoUnblocks: number }[],
  maxAutoUnblockAttempts: number,
): RetrySelection {
  const mayRetry = ({ autoUnblocks }: { autoUnblocks: number }) => autoUnblocks < maxAutoUnblockAttempts
  return {
    unblocked: blocked.filter(mayRetry).map(({ taskId }) => taskId),
    refused: blocked
      .filter((task) => !mayRetry(task))
      .map(({ taskId, autoUnblocks }) => ({ taskId, reason: refusal(autoUnblocks, maxAutoUnblockAttempts) })),
  }
}

function refusal(autoUnblocks: number, maximum: number): string {
  const remedy = 'Review it and unblock it by hand, or raise max_auto_unblock_attempts.'
  if (maximum === 0) return `Retrying is disabled (max_auto_unblock_attempts = 0). ${remedy}`
  const times = autoUnblocks === 1 ? 'once' : `${autoUnblocks} times`
  return `It has been retried ${times} already (max_auto_unblock_attempts = ${maximum}). ${remedy}`
}
