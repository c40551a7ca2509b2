import type { EnvironmentFault } from './types.ts'

/** What has to be known of a run to tell whether the environment stopped it; the runners' `AgentRun` fits. */
export interface EndedRun {
  readonly outcome: 'completed' | 'timeout' | 'error' | 'denied' | 'unavailable' | 'cancelled'
  readonly exitCode: number | null
  /** One sentence in words. */
  readonly reason: string
  readonly remedy: string | null
  readonly stdout: { readonly text: string }
  readonly stderr: { readonly text: string }
  /** What the agent said, where its program tells that apart: its stdout then holds events, and they have been read. */
  readonly said?: string
  /** Names of variables that were kept from the agent. */
  readonly withheld?: readonly string[]
}

interface KnownFailure {
  readonly reason: string
  readonly remedy: string
  readonly patterns: readonly RegExp[]
}

/** Programs say last why they failed; what stands further up is the agent's work, which may well be about such errors. */
const LAST_LINES = 20
const LAST_CHARACTERS = 8192
const MAX_QUOTE = 160

/** A line that reports a failure, not prose about one. */
const REPORTS_FAILURE =
  /\b(?:error|failed|failure|fatal|exception|unauthori[sz]ed|invalid|incorrect|refused|please|not set|not (?:logged|signed) in|limit reached)\b|_error\b/i

const NOT_LOGGED_IN = 'the agent is not logged in'

/** Messages of agent programs and the services behind them, by what the operator has to do about them. */
const KNOWN_FAILURES: readonly KnownFailure[] = [
  {
    reason: NOT_LOGGED_IN,
    remedy: 'Log in to the agent program, or set its API key, in the environment Pulseward runs in.',
    patterns: [
      /(?:^(?:error:? *)?(?:you(?:'re| are) )?|": ?")not (?:logged|signed) in\b/i,
      /\bplease (?:log|sign) in\b|\brun [`'"]?\/login\b/i,
      /\b(?:invalid|incorrect|missing|no) (?:x-)?api[ _-]?key\b/i,
      /\b[A-Z][A-Z0-9]{1,30}_API_KEY\b.{0,60}\b(?:not set|unset|missing|required)\b/,
      /\bauthentication_error\b|\bauthentication failed\b|\bfailed to authenticate\b/i,
      /\boauth token (?:has )?expired\b/i,
      /\b401 unauthorized\b|\b(?:status|http|error)["']?\W{0,3}(?:code\W{0,3})?401\b/i,
    ],
  },
  {
    reason: "the agent's service refused more requests (rate limit or quota)",
    remedy: 'Wait until the limit resets, or raise the quota of the account the agent uses.',
    patterns: [
      /\brate[ _-]?limit(?:ed|_error|s? (?:exceeded|reached|hit))\b/i,
      /\b(?:usage|quota|request) limit (?:reached|exceeded)\b|\bquota exceeded\b|\bexceeded your current quota\b/i,
      /\binsufficient_quota\b|\bRESOURCE_EXHAUSTED\b|\bcredit balance is too low\b/,
      /\btoo many requests\b|\b(?:status|http|error)["']?\W{0,3}(?:code\W{0,3})?429\b/i,
    ],
  },
  {
    reason: "the agent's service had an error of its own",
    remedy: "Nothing to remedy here: the service is overloaded or down; see the provider's status page.",
    patterns: [
      /\boverloaded_error\b|\bserver (?:is )?overloaded\b/i,
      /\bapi error\b.{0,40}\b(?:overloaded|5\d\d)\b/i,
      /\b(?:status|http)["']?\W{0,3}(?:code\W{0,3})?5(?:0[0234]|29)\b/i,
      /\b503 service unavailable\b|\b502 bad gateway\b/i,
    ],
  },
  {
    reason: "the agent's service could not be reached over the network",
    remedy: 'Check the network connection and proxy settings of this machine.',
    patterns: [
      /\bgetaddrinfo (?:ENOTFOUND|EAI_AGAIN) (?!localhost\b)/,
      /\bconnect E(?:CONNREFUSED|TIMEDOUT|HOSTUNREACH|NETUNREACH) (?!127\.|::1|localhost\b)/,
      /\bapi error\b.{0,40}\b(?:connection error|fetch failed|unable to connect)\b/i,
      /\bunable to connect to api\b/i,
    ],
  },
]

/**
 * What stopped the agent where it was not the agent: it could not run, was denied its tools, was ended by us at shutdown, or
 * ended with an error whose last lines say that login, quota, service or network failed. Null for everything else: a run
 * that succeeded or ran into its timeout is never excused by what it printed. Pure; never throws.
 */
export function detectEnvironmentFault(run: EndedRun): EnvironmentFault | null {
  switch (run.outcome) {
    case 'unavailable':
      return {
        reason: run.reason,
        remedy:
          run.remedy ??
          'Check [agent] command in pulseward.toml: the program must be installed and executable.',
      }
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
    case 'timeout':
      return null
    default:
      return run.outcome === 'completed' && (run.exitCode ?? 0) === 0 ? null : knownFailure(run)
  }
}

function knownFailure(run: EndedRun): EnvironmentFault | null {
  const printed = run.said === undefined ? lastLines(run.stdout.text) : []
  const lines = [...lastLines(run.stderr.text), ...printed].filter((line) => REPORTS_FAILURE.test(line))
  for (const { reason, remedy, patterns } of KNOWN_FAILURES) {
    const line = lines.find((candidate) => patterns.some((pattern) => pattern.test(candidate)))
    if (line !== undefined)
      return {
        reason: `${reason}: ${quoteFrom(line, patterns)}`,
        remedy: reason === NOT_LOGGED_IN ? `${remedy}${keptBackInWords(run.withheld)}` : remedy,
      }
  }
  return null
}

/** What of the environment was kept from an agent, for one who looks for a missing login; empty where nothing was. */
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

/** The part of a line that says it: a line of a JSON stream is quoted from the match on. */
function quoteFrom(line: string, patterns: readonly RegExp[]): string {
  const positions = patterns.map((pattern) => line.search(pattern)).filter((position) => position >= 0)
  const start = line.startsWith('{') ? Math.min(...positions) : 0
  return line.slice(start, start + MAX_QUOTE)
}
