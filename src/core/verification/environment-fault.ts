import type { ServiceFailure } from '../agents/failure-words.ts'
import { type Now, plausibleReset, resetTimeIn } from '../agents/reset-time.ts'
import { failureInWords, failureRemedy, printedFailure, saysRetry } from '../agents/service-failure.ts'
import type { Claim } from '../claims/types.ts'
import { quoteAgent } from '../text/quote.ts'
import type { RunEnding } from '../vocabulary/outcome.ts'
import { claimsCompletion, isUnchanged } from './completion.ts'
import type { EnvironmentFault, FileDifference } from './types.ts'

/** What has to be known of a run to tell whether the environment stopped it; the runners' `AgentRun` fits. */
export interface EndedRun {
  readonly outcome: RunEnding
  readonly exitCode: number | null
  /** One sentence in words. */
  readonly reason: string
  readonly remedy: string | null
  readonly stdout: { readonly text: string }
  readonly stderr: { readonly text: string }
  /** What the agent said, where its program tells that apart: its stdout then holds events, and they have been read. */
  readonly said?: string
  /** When its service takes requests again, where the program tells it apart from its words; epoch ms. */
  readonly resetsAtMs?: number | null
  /** Names of variables that were kept from the agent. */
  readonly withheld?: readonly string[]
}

/** Programs say last why they failed; what stands further up is the agent's work, which may well be about such errors. */
const LAST_LINES = 20
const LAST_CHARACTERS = 8192
const MAX_QUOTE = 160

/** A banner or two may stand before what a program says over and over. */
const MAX_OTHER_LINES = 5
/** As often it has to have said it for the time to have gone into that. */
const LEAST_REPEATED = 3

/**
 * What stopped the agent if it was not the agent: it could not run, was denied its tools, was ended by us at shutdown, or
 * its program says that login, quota, service, network or disk failed. Words count only where the program says them as its
 * failure: in the last lines of a run that failed, on a stderr that says nothing else, or over and over until the timeout. What
 * they excuse is for `faultFor` to say. Pure; never throws.
 */
export function detectEnvironmentFault(run: EndedRun, now: Now): EnvironmentFault | null {
  switch (run.outcome) {
    case 'unavailable':
      return withReset(
        {
          reason: run.reason,
          remedy:
            run.remedy ??
            'Check [agent] command in pulseward.toml: the program must be installed and executable.',
        },
        run.resetsAtMs ?? null,
        now,
      )
    case 'denied':
      return {
        reason: run.reason,
        remedy: run.remedy ?? 'Grant the agent the tool it asked for, in the command of [agent].',
      }
    case 'cancelled':
      return {
        reason: run.reason,
        remedy: run.remedy ?? 'Nothing to remedy: the task is run again at the next heartbeat.',
      }
    // Whatever it said last: it was we who ended it.
    case 'budget':
      return null
    case 'timeout':
      return run.said === undefined ? faultOf(repeatedUntilTheEnd(run), run, now) : null
    default: {
      const hasSucceeded = run.outcome === 'completed' && (run.exitCode ?? 0) === 0
      if (!hasSucceeded) return faultOf(saidLast(run), run, now)
      const fault = faultOf(saidInPlaceOfAnAnswer(run), run, now)
      return fault === null ? null : { ...fault, hasEndedWell: true }
    }
  }
}

/**
 * Returns the fault if it excuses the agent of this claim. A fault that is known only from the output does not excuse an agent
 * that says that the task is done, because an agent that was stopped cannot have done it. An agent that ended well and changed
 * something has worked: the words may be its answer.
 */
export function faultFor(
  fault: EnvironmentFault | null,
  claim: Claim,
  difference: FileDifference,
): EnvironmentFault | null {
  if (fault?.byWords !== true) return fault
  const hasWorked = fault.hasEndedWell === true && !isUnchanged(difference)
  return hasWorked || claimsCompletion(claim) ? null : fault
}

interface SaidFailure {
  readonly failure: ServiceFailure
  readonly line: string
}

function faultOf(said: SaidFailure | null, run: EndedRun, now: Now): EnvironmentFault | null {
  if (said === null) return null
  const { failure, line } = said
  const remedy = failureRemedy(failure, { words: line })
  return withReset(
    {
      reason: `${failureInWords(failure, 'the agent', line)}: ${quoteAgent(line, MAX_QUOTE)}.`,
      remedy: failure === 'login' ? `${remedy}${keptBackInWords(run.withheld)}` : remedy,
      byWords: true,
    },
    resetTimeIn(line, now),
    now,
  )
}

function withReset(fault: EnvironmentFault, statedMs: number | null, now: Now): EnvironmentFault {
  const resetsAtMs =
    statedMs === null ? resetTimeIn(fault.reason, now) : plausibleReset(statedMs, now.epochMs)
  return resetsAtMs === null ? fault : { ...fault, resetsAtMs }
}

/** Of a run that failed. stdout counts only where it is the program's own: of one with a stream, its events have been read. */
function saidLast(run: EndedRun): SaidFailure | null {
  const printed = run.said === undefined ? lastLines(run.stdout.text) : []
  return first([...lastLines(run.stderr.text), ...printed])
}

/**
 * Returns the failure of a program that ended well and printed only that it was refused: some forget their exit code, and some
 * print it as their answer.
 */
function saidInPlaceOfAnAnswer(run: EndedRun): SaidFailure | null {
  if (run.said !== undefined) return null
  const answer = lastLines(run.stdout.text)
  // A number may well be the answer that the task asked for.
  if (answer.some((line) => NOTHING_BUT_A_NUMBER.test(line))) return null
  const lines = [...answer, ...lastLines(run.stderr.text)]
  return lines.every(isFailure) ? first(lines) : null
}

function isFailure(line: string): boolean {
  return printedFailure(line) !== null || saysRetry(line)
}

const NOTHING_BUT_A_NUMBER = /^\W*\d+\W*$/

/** A program that says the same until its timeout and nothing else was not at work. */
function repeatedUntilTheEnd(run: EndedRun): SaidFailure | null {
  const lines = [run.stderr.text, run.stdout.text].flatMap((text) => lastLines(text))
  const failures = lines.filter((line) => printedFailure(line) !== null)
  const others = lines.filter((line) => printedFailure(line) === null && !saysRetry(line))
  const isAllItSays = failures.length >= LEAST_REPEATED && failures.length > others.length
  return isAllItSays && others.length <= MAX_OTHER_LINES ? first(failures) : null
}

function first(lines: readonly string[]): SaidFailure | null {
  for (const line of lines) {
    const failure = printedFailure(line)
    if (failure !== null) return { failure, line: quotable(line) }
  }
  return null
}

/** A line of a JSON stream is quoted from its message on. */
function quotable(line: string): string {
  if (!line.startsWith('{')) return line
  const at = line.search(/"(?:message|error|type)"/)
  return at < 0 ? line : line.slice(at)
}

/** What of the environment was kept from an agent, for one who looks for a missing login; empty if nothing was. */
export function keptBackInWords(withheld: readonly string[] = []): string {
  if (withheld.length === 0) return ''
  const named = withheld.slice(0, 5).join(', ') + (withheld.length > 5 ? ' and others' : '')
  return ` Kept from it, because they look like secrets: ${named}. Name in pass_env under [agent] what it needs.`
}

function lastLines(text: string): readonly string[] {
  return text
    .slice(-LAST_CHARACTERS)
    .split(/\r\n|\n|\r/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(-LAST_LINES)
}
