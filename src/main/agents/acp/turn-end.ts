import type { AgentEventOf } from '../../../core/activity/types.ts'
import type { ServiceFailure } from '../../../core/agents/failure-words.ts'
import { refusalInWords } from '../../../core/agents/grant-advice.ts'
import { failureInWords, failureRemedy } from '../../../core/agents/service-failure.ts'
import { failureOfStatus, failureStatus } from '../../../core/agents/streams/failure.ts'
import { quoteAgent } from '../../../core/text/quote.ts'
import { keptBackInWords } from '../../../core/verification/environment-fault.ts'
import type { AgentRun } from '../../ports/agent-runner.ts'
import type { AgentConfig } from '../../ports/workspace-config.ts'
import { knownAgent } from '../known-agent.ts'

/** How a turn of an agent, or the way to one, came to its end. */
export type TurnEnd =
  /** It answered the prompt. `reason`: a stop reason of the protocol, or another word. */
  | { readonly kind: 'stopped'; readonly reason: string }
  /** It answered with an error. */
  | { readonly kind: 'failed'; readonly message: string }
  /** It wants a login. `methods`: what it offers for it. */
  | { readonly kind: 'unauthenticated'; readonly methods: readonly string[] }
  /** It never came to speak the protocol: what it did instead. */
  | { readonly kind: 'no-agent'; readonly message: string }
  /** It was never asked to do anything: what it answered, or did, in place of opening a session. */
  | { readonly kind: 'no-session'; readonly message: string }
  /** It went away in the middle of it. */
  | { readonly kind: 'lost'; readonly message: string }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'cancelled' }

/** A refusal of the run: what was asked for, and the entry of `allow` that would grant it. */
export type Denial = AgentEventOf<'permission'>

type Verdict = Pick<AgentRun, 'outcome' | 'reason' | 'remedy'> & {
  readonly final: AgentEventOf<'final'>['status']
}

const MAX_NAMED = 3

export interface EndedTurn {
  readonly config: Pick<AgentConfig, 'id' | 'command' | 'preset' | 'stream'>
  readonly end: TurnEnd
  readonly timeoutMs: number
  /** Names of variables that were kept from the agent. */
  readonly withheld: readonly string[]
  readonly denials: readonly Denial[]
  /** What it said of its service in place of an answer, or until its timeout; `null`: nothing of the kind. */
  readonly failureSaid: string | null
}

/**
 * What a turn's end means. One in which the agent was refused something is `denied`, however it ended by itself; whether that
 * stopped its work shows in what it left behind, which is not for us to judge.
 */
export function meaningOf(ended: EndedTurn): Verdict {
  const { config, end, timeoutMs, denials } = ended
  const program = config.command[0] ?? ''
  const wasDenied = denials.length > 0
  if (ended.failureSaid !== null) return failed(ended, program, ended.failureSaid)
  switch (end.kind) {
    case 'stopped':
      if (wasDenied && (end.reason === 'end_turn' || end.reason === 'cancelled')) return denied(denials)
      return stopped(program, end.reason)
    case 'failed':
      return wasDenied ? denied(denials) : failed(ended, program, end.message)
    case 'unauthenticated':
      return notLoggedIn(ended, end.methods)
    case 'no-agent':
      return {
        outcome: 'unavailable',
        reason: `${program} does not speak the Agent Client Protocol: ${end.message}.`,
        remedy:
          'Check [agent] command in pulseward.toml: it has to start the program’s ACP mode, such as ["gemini", "--acp"].',
        final: 'error',
      }
    case 'no-session':
      return withoutSession(ended, program, end.message)
    case 'lost':
      return { outcome: 'error', reason: `${program} ${end.message}.`, remedy: null, final: 'interrupted' }
    case 'timeout': {
      const limit = `${Math.round(timeoutMs / 100) / 10} s`
      return {
        outcome: 'timeout',
        reason: `${program} was ended at its timeout of ${limit}.`,
        remedy: null,
        final: 'interrupted',
      }
    }
    case 'cancelled':
      return {
        outcome: 'cancelled',
        reason: `${program} was ended because the supervisor stopped.`,
        remedy: null,
        final: 'interrupted',
      }
  }
}

/** What an end comes to where the prompt had not been sent: nothing that the agent could have done, or left undone. */
export function endUnasked(end: TurnEnd): TurnEnd {
  switch (end.kind) {
    case 'failed':
      return { kind: 'no-session', message: end.message }
    case 'lost':
      return { kind: 'no-session', message: `it ${end.message}` }
    case 'timeout':
      return { kind: 'no-session', message: 'it had not answered when its time was up' }
    default:
      return end
  }
}

/** Its service may have let it down already then. */
function withoutSession(ended: EndedTurn, program: string, message: string): Verdict {
  const verdict = failed(ended, program, message)
  if (verdict.outcome === 'unavailable') return verdict
  return {
    outcome: 'unavailable',
    reason: `${program} opened no session: ${message}.`,
    remedy: 'Nothing was asked of it. Start the program yourself in this folder, and see what keeps it.',
    final: 'error',
  }
}

function stopped(program: string, reason: string): Verdict {
  switch (reason) {
    case 'end_turn':
      return { outcome: 'completed', reason: `${program} ended its turn.`, remedy: null, final: 'success' }
    case 'max_tokens':
      return limit(program, 'tokens')
    case 'max_turn_requests':
      return limit(program, 'requests in one turn')
    case 'refusal':
      return { outcome: 'error', reason: `${program} refused to go on.`, remedy: null, final: 'error' }
    case 'cancelled':
      return {
        outcome: 'error',
        reason: `${program} broke off its turn.`,
        remedy: null,
        final: 'interrupted',
      }
    default:
      return {
        outcome: 'error',
        reason: `${program} stopped for a reason not known here: ${reason}.`,
        remedy: null,
        final: 'error',
      }
  }
}

function limit(program: string, what: string): Verdict {
  return {
    outcome: 'error',
    reason: `${program} stopped at its limit of ${what}.`,
    remedy: null,
    final: 'limit',
  }
}

/** The service behind the agent may have let it down; then it is not the agent's fault. */
function failed(ended: EndedTurn, program: string, message: string): Verdict {
  const status = failureStatus(message, null)
  const failure = failureOfStatus(status, message)
  if (failure === null)
    return {
      outcome: 'error',
      reason: `${program} answered with an error: ${quoteAgent(message, 300)}.`,
      remedy: null,
      final: 'error',
    }
  return letDown(ended, failure, status, message)
}

function letDown(
  { config, withheld }: EndedTurn,
  failure: ServiceFailure,
  final: Verdict['final'],
  words: string,
): Verdict {
  const { name, loginHint } = knownAgent(config)
  return {
    outcome: 'unavailable',
    reason: `${failureInWords(failure, name, words)}: ${quoteAgent(words, 300)}.`,
    remedy: `${failureRemedy(failure, loginHint, words)}${failure === 'login' ? keptBackInWords(withheld) : ''}`,
    final,
  }
}

function notLoggedIn({ config, withheld }: EndedTurn, offered: readonly string[]): Verdict {
  const { name, loginHint } = knownAgent(config)
  const methods = offered.length === 0 ? '' : ` It offers: ${offered.join(', ')}.`
  return {
    outcome: 'unavailable',
    reason: `${name} is not logged in.`,
    remedy: `${failureRemedy('login', loginHint)}${methods}${keptBackInWords(withheld)}`,
    final: 'unauthenticated',
  }
}

function denied(denials: readonly Denial[]): Verdict {
  return { outcome: 'denied', reason: refusalInWords(denials), remedy: grantRemedy(denials), final: 'denied' }
}

function grantRemedy(denials: readonly Denial[]): string {
  const grants = [...new Set(denials.flatMap(({ grant }) => grant ?? []))].slice(0, MAX_NAMED)
  if (grants.length === 0)
    return denials.some(({ by }) => by === 'program')
      ? 'Its program runs in a sandbox of its own that does not work here: turn that off in the program’s settings, or leave it to sandbox under [agent].'
      : 'No entry of allow grants this: it is named in deny, or lies outside the workspace.'
  const entries = grants.map((grant) => JSON.stringify(grant)).join(' and ')
  return `Add ${entries} to allow under [agent] in pulseward.toml, or answer when you are asked.`
}
