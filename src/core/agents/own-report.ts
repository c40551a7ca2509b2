import type { FigureScope } from '../activity/join.ts'
import { PER_RUN } from './program.ts'
import { AGENT_PROGRAMS, type PresetId } from './programs.ts'

/** The parts of an agent's configuration that its own report depends on; `AgentConfig` fits. */
interface SetUpAgent {
  readonly kind: 'command' | 'acp'
  readonly preset: PresetId | null
  readonly stream: PresetId | null
}

/** What an agent's own report always shows when it happens, so that its absence means it was not done. */
export interface StreamReach {
  readonly edits: boolean
  readonly commands: boolean
}

const OF_THE_SESSION: FigureScope = { tokens: 'session', cost: 'session' }

/**
 * Returns what the report of an agent with this configuration shows. A program whose stream is not understood, or an ACP agent that was
 * never measured, may do anything without showing it. Pure; never throws.
 */
export function streamReach({ kind, preset, stream }: SetUpAgent): StreamReach {
  const known = preset === null ? null : AGENT_PROGRAMS[preset].acp
  const isKnown = kind === 'acp' ? (known?.showsWork ?? false) : stream !== null
  return { edits: isKnown, commands: isKnown }
}

/**
 * Returns what the figures of a program's second turn in a session cover: that turn, or the session from its beginning. Pure;
 * never throws.
 */
export function resumedFigures({ kind, preset }: SetUpAgent): FigureScope {
  const program = preset === null ? null : AGENT_PROGRAMS[preset]
  if (kind === 'acp') return program?.acp?.figures ?? OF_THE_SESSION
  return program?.print?.stream?.resumedFigures ?? PER_RUN
}
