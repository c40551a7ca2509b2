import type { ServiceFailure } from '../agents/failure-words.ts'
import { type Now, plausibleReset, resetTimeIn } from '../agents/reset-time.ts'
import { failureInWords, failureRemedy, printedFailure, saysRetry } from '../agents/service-failure.ts'
import type { Claim } from '../claims/types.ts'
import { quoteAgent } from '../text/quote.ts'
import type { RunEnding } from '../vocabulary/outcome.ts'
import { claimsCompletion, isUnchanged } from './completion.ts'
import type { EnvironmentFault, FileDifference } from './types.ts'

/** What must be known about a run to tell whether the environment stopped it. */
export interface EndedRun {
  /** `cancelled`: at shutdown. `budget`: at the limit for one attempt. `unavailable`: it never started, or can't work as configured. */
  readonly outcome: RunEnding
  readonly exitCode: number | null
  /** Why it ended, in one sentence. */
  readonly reason: string
  /** What the operator can do, if the environment is at fault. */
  readonly remedy: string | null
  readonly stdout: { readonly text: string }
  readonly stderr: { readonly text: string }
  /** The agent's words, if its program reports them separately: claims are read only from these, and stdout has events already read. */
  readonly said?: string
  /** When its service accepts requests again, if its program reports that in a field; epoch ms, wall clock. */
  readonly resetsAtMs?: number | null
  /** Names of variables that look like secrets and were withheld from the agent; omitted if there were none. */
  readonly withheld?: readonly string[]
}

/** Programs say why they failed at the end; what comes before is the agent's work, which may be about such errors. */
const LAST_LINES = 20
const LAST_CHARACTERS = 8192
const MAX_QUOTE = 160

/** A few other lines, such as a banner, may precede a message that is repeated over and over. */
const MAX_OTHER_LINES = 5
/** A message must be repeated this often to explain the timeout. */
const LEAST_REPEATED = 3

/**
 * Returns what stopped the agent if it was not the agent itself: it could not run, was denied its tools, was stopped by us at shutdown, or
 * its program says that login, quota, service, network or disk failed. Words count only if the program states them as its failure: in the
 * last lines of a failed run, on a stderr that says nothing else, or over and over until the timeout. `faultFor` decides what they excuse.
 * Pure; never throws.
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
    // We stopped it, whatever it said last.
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
 * Returns the fault if it excuses the agent from this claim. A fault known only from output doesn't excuse an agent that says the task is
 * done, because a stopped agent can't have done it. An agent that ended normally and changed something has worked, so the words may be its
 * answer.
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

/**
 * Returns the failure that a failed run states at its end. stdout counts only if the program writes plain text; the events of a stream were
 * already read.
 */
function saidLast(run: EndedRun): SaidFailure | null {
  const printed = run.said === undefined ? lastLines(run.stdout.text) : []
  return first([...lastLines(run.stderr.text), ...printed])
}

/**
 * Returns the failure of a program that ended normally but only printed that it was refused: some forget their exit code, and some print it
 * as their answer.
 */
function saidInPlaceOfAnAnswer(run: EndedRun): SaidFailure | null {
  if (run.said !== undefined) return null
  const answer = lastLines(run.stdout.text)
  // A number may be the answer that the task asked for.
  if (answer.some((line) => NOTHING_BUT_A_NUMBER.test(line))) return null
  const lines = [...answer, ...lastLines(run.stderr.text)]
  return lines.every(isFailure) ? first(lines) : null
}

function isFailure(line: string): boolean {
  return printedFailure(line) !== null || saysRetry(line)
}

const NOTHING_BUT_A_NUMBER = /^\W*\d+\W*$/

/** Returns the failure of a program that repeated the same message until its timeout; it was not at work. */
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

/** Returns a line for quoting; of a JSON stream's line, the part from its message on. */
function quotable(line: string): string {
  if (!line.startsWith('{')) return line
  const at = line.search(/"(?:message|error|type)"/)
  return at < 0 ? line : line.slice(at)
}

/** Returns which parts of the environment were withheld from an agent, to explain a missing login; empty if none were. */
export function keptBackInWords(withheld: readonly string[] = []): string {
  if (withheld.length === 0) return ''
  const named = withheld.slice(0, 5).join(', ') + (withheld.length > 5 ? ' and others' : '')
  return ` Withheld because they look like secrets: ${named}. List what the agent needs in pass_env under [agent].`
}

function lastLines(text: string): readonly string[] {
  return text
    .slice(-LAST_CHARACTERS)
    .split(/\r\n|\n|\r/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(-LAST_LINES)
}
