import type { AgentEventOf } from '../../../core/activity/types.ts'
import type { AgentRun } from '../../ports/agent-runner.ts'

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
  /** It went away in the middle of it. */
  | { readonly kind: 'lost'; readonly message: string }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'cancelled' }

/** A refusal of the run, where there was one: what was asked for, and the entry of `allow` that would grant it. */
export type Denial = AgentEventOf<'permission'>

type Verdict = Pick<AgentRun, 'outcome' | 'reason' | 'mend'> & {
  readonly final: AgentEventOf<'final'>['status']
}

const LOGIN = 'Log in to the agent program, or set its API key, in the environment Pulseward runs in.'

export interface EndedTurn {
  readonly program: string
  readonly end: TurnEnd
  readonly timeoutMs: number
  /** The last refusal of the run. */
  readonly denial: Denial | null
  /** A file was changed or a command run all the same, as the agent tells it. */
  readonly hasWorked: boolean
}

/**
 * What a turn's end means. A turn in which the agent was refused something and got nothing else done was stopped by the
 * permissions; one that it finished in another way was not.
 */
export function meaningOf({ program, end, timeoutMs, denial, hasWorked }: EndedTurn): Verdict {
  const denied = denial !== null && !hasWorked ? deniedVerdict(program, denial) : null
  switch (end.kind) {
    case 'stopped':
      if (denied !== null && (end.reason === 'end_turn' || end.reason === 'cancelled')) return denied
      return stopped(program, end.reason)
    case 'failed':
      if (denied !== null) return denied
      return {
        outcome: 'error',
        reason: `${program} answered with an error: ${end.message}`,
        mend: null,
        final: 'error',
      }
    case 'unauthenticated':
      return {
        outcome: 'unavailable',
        reason: `${program} is not logged in.`,
        mend: end.methods.length === 0 ? LOGIN : `${LOGIN} It offers: ${end.methods.join(', ')}.`,
        final: 'unauthenticated',
      }
    case 'no-agent':
      return {
        outcome: 'unavailable',
        reason: `${program} does not speak the Agent Client Protocol: ${end.message}.`,
        mend: 'Check [agent] command in pulseward.toml: it has to start the program’s ACP mode, such as ["gemini", "--acp"].',
        final: 'error',
      }
    case 'lost':
      return { outcome: 'error', reason: `${program} ${end.message}.`, mend: null, final: 'interrupted' }
    case 'timeout': {
      const limit = `${Math.round(timeoutMs / 100) / 10} s`
      return {
        outcome: 'timeout',
        reason: `${program} was ended at its timeout of ${limit}.`,
        mend: null,
        final: 'interrupted',
      }
    }
    case 'cancelled':
      return {
        outcome: 'cancelled',
        reason: `${program} was ended because the supervisor stopped.`,
        mend: null,
        final: 'interrupted',
      }
  }
}

function stopped(program: string, reason: string): Verdict {
  switch (reason) {
    case 'end_turn':
      return { outcome: 'completed', reason: `${program} ended its turn.`, mend: null, final: 'success' }
    case 'max_tokens':
      return limit(program, 'tokens')
    case 'max_turn_requests':
      return limit(program, 'requests in one turn')
    case 'refusal':
      return { outcome: 'error', reason: `${program} refused to go on.`, mend: null, final: 'error' }
    case 'cancelled':
      return { outcome: 'error', reason: `${program} broke off its turn.`, mend: null, final: 'interrupted' }
    default:
      return {
        outcome: 'error',
        reason: `${program} stopped for a reason not known here: ${reason}.`,
        mend: null,
        final: 'error',
      }
  }
}

function limit(program: string, what: string): Verdict {
  return {
    outcome: 'error',
    reason: `${program} stopped at its limit of ${what}.`,
    mend: null,
    final: 'limit',
  }
}

function deniedVerdict(program: string, { tool, target, decision, grant }: Denial): Verdict {
  const how = decision === 'expired' ? 'nobody answered in time' : 'it was refused'
  return {
    outcome: 'denied',
    reason: `${program} asked for permission to ${tool} ${target}, and ${how}.`,
    mend: grantMend(grant),
    final: 'denied',
  }
}

function grantMend(grant: string | null): string {
  return grant === null
    ? 'No entry of allow grants this; give the agent a task that stays within the workspace and the rules of deny.'
    : `Add ${JSON.stringify(grant)} to allow under [agent] in pulseward.toml, or answer when you are asked.`
}
