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

/** How an agent's turn ended, or why it never began. */
export type TurnEnd =
  /** It answered the prompt. `reason`: a stop reason of the protocol, or another word. */
  | { readonly kind: 'stopped'; readonly reason: string }
  /** It answered with an error. */
  | { readonly kind: 'failed'; readonly message: string }
  /** The agent requires a login. `methods`: the ones it offers. */
  | { readonly kind: 'unauthenticated'; readonly methods: readonly string[] }
  /** The agent never spoke the protocol. What it did instead. */
  | { readonly kind: 'no-agent'; readonly message: string }
  /** The agent was never prompted. What it did instead of opening a session. */
  | { readonly kind: 'no-session'; readonly message: string }
  /** It disappeared during the turn. */
  | { readonly kind: 'lost'; readonly message: string }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'cancelled' }

/** A denied request of the run, with the entry of `allow` that would grant it. */
export type Denial = AgentEventOf<'permission'>

type Verdict = Pick<AgentRun, 'outcome' | 'reason' | 'remedy'> & {
  readonly final: AgentEventOf<'final'>['status']
}

const MAX_NAMED = 3

export interface EndedTurn {
  readonly config: Pick<AgentConfig, 'id' | 'command' | 'preset' | 'stream' | 'acpVersion'>
  readonly end: TurnEnd
  readonly timeoutMs: number
  /** Names of variables that were withheld from the agent. */
  readonly withheld: readonly string[]
  readonly denials: readonly Denial[]
  /** What the agent said about its service instead of answering, or until its timeout; `null`: nothing. */
  readonly failureSaid: string | null
}

/**
 * Returns what the end of a turn means. A turn in which the agent was denied something is `denied`, however it ended; whether the denial
 * stopped its work shows in its results, which are judged elsewhere.
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
        remedy: `Check [agent] in pulseward.toml: command must start the program’s ACP mode, such as ["gemini", "--acp"], and ${
          config.acpVersion === 2
            ? 'acp_version = 2 is for programs that speak that draft'
            : 'a program that only speaks the draft of version 2 needs acp_version = 2'
        }.`,
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
        reason: `${program} was stopped at its timeout of ${limit}.`,
        remedy: null,
        final: 'interrupted',
      }
    }
    case 'cancelled':
      return {
        outcome: 'cancelled',
        reason: `${program} was stopped because the supervisor stopped.`,
        remedy: null,
        final: 'interrupted',
      }
  }
}

/** Converts an end from before the prompt was sent: the agent could not have done anything yet. */
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

/** Returns the verdict on an agent that opened no session; its service may have failed already. */
function withoutSession(ended: EndedTurn, program: string, message: string): Verdict {
  const verdict = failed(ended, program, message)
  if (verdict.outcome === 'unavailable') return verdict
  return {
    outcome: 'unavailable',
    reason: `${program} opened no session: ${message}.`,
    remedy: 'It was not prompted. Start the program yourself in this folder to see what is wrong.',
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
      return { outcome: 'error', reason: `${program} refused to continue.`, remedy: null, final: 'error' }
    case 'cancelled':
      return {
        outcome: 'error',
        reason: `${program} canceled its turn.`,
        remedy: null,
        final: 'interrupted',
      }
    default:
      return {
        outcome: 'error',
        reason: `${program} stopped for an unknown reason: ${reason}.`,
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

/** Handles a failure of the service behind the agent, which is not the agent's fault. */
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
    remedy: `${failureRemedy(failure, { loginHint, words })}${failure === 'login' ? keptBackInWords(withheld) : ''}`,
    final,
  }
}

function notLoggedIn({ config, withheld }: EndedTurn, offered: readonly string[]): Verdict {
  const { name, loginHint } = knownAgent(config)
  const methods = offered.length === 0 ? '' : ` It offers: ${offered.join(', ')}.`
  return {
    outcome: 'unavailable',
    reason: `${name} is not logged in.`,
    remedy: `${failureRemedy('login', { loginHint })}${methods}${keptBackInWords(withheld)}`,
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
      ? 'Its program has its own sandbox, which does not work here: turn that off in the program’s settings, or leave it to sandbox under [agent].'
      : 'No entry of allow grants this: it is in deny, or is outside the workspace.'
  const entries = grants.map((grant) => JSON.stringify(grant)).join(' and ')
  return `Add ${entries} to allow under [agent] in pulseward.toml, or answer when you are asked.`
}
