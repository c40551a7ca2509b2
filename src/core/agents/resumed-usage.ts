import type { PresetId } from './types.ts'

/** What a figure of a later turn counts: the turn alone, or the session from its beginning. */
export interface FigureScope {
  readonly tokens: 'run' | 'session'
  readonly cost: 'run' | 'session'
}

/** Measured by taking a session up again in print mode with each program's measured version. */
const RESUMED: Partial<Readonly<Record<PresetId, FigureScope>>> = {
  claude: { tokens: 'run', cost: 'session' },
  codex: { tokens: 'session', cost: 'session' },
}

/**
 * What the figures of a program's second run in a session count: that run, or the session from its beginning. Over ACP they count
 * the session. Pure; never throws.
 */
export function resumedUsage(agent: {
  readonly kind: 'command' | 'acp'
  readonly preset: PresetId | null
}): FigureScope {
  if (agent.kind === 'acp') return { tokens: 'session', cost: 'session' }
  return (agent.preset === null ? undefined : RESUMED[agent.preset]) ?? { tokens: 'run', cost: 'run' }
}
