import type { FigureScope } from '../activity/join.ts'
import { PER_RUN } from './program.ts'
import { AGENT_PROGRAMS, type PresetId } from './programs.ts'

/** An agent as far as its own report depends on it; `AgentConfig` fits. */
interface SetUpAgent {
  readonly kind: 'command' | 'acp'
  readonly preset: PresetId | null
  readonly stream: PresetId | null
}

/** What an agent's own report is known to show, where it did it: that something is not in it then means that it was not done. */
export interface StreamReach {
  readonly edits: boolean
  readonly commands: boolean
}

const OF_THE_SESSION: FigureScope = { tokens: 'session', cost: 'session' }

/**
 * What the account of an agent set up like this shows. A program whose stream is not understood, and an ACP agent that was never
 * measured, may do anything without it showing. Pure; never throws.
 */
export function streamReach({ kind, preset, stream }: SetUpAgent): StreamReach {
  const known = preset === null ? null : AGENT_PROGRAMS[preset].acp
  const isKnown = kind === 'acp' ? (known?.showsWork ?? false) : stream !== null
  return { edits: isKnown, commands: isKnown }
}

/**
 * What the figures of a program's second turn in a session count: that turn, or the session from its beginning. Pure; never
 * throws.
 */
export function resumedFigures({ kind, preset }: SetUpAgent): FigureScope {
  const program = preset === null ? null : AGENT_PROGRAMS[preset]
  if (kind === 'acp') return program?.acp?.figures ?? OF_THE_SESSION
  return program?.print?.stream?.resumedFigures ?? PER_RUN
}
