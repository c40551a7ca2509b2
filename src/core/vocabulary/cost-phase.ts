/** The parts of an attempt's time, in display order; they add up to the whole. */
export const COST_PHASES = {
  agentMs: { words: 'agent', label: 'agent' },
  checksMs: { words: 'checks', label: 'checks' },
  cleanRoomMs: { words: 'clean room', label: 'clean_room' },
  pulsewardMs: { words: 'Pulseward', label: 'pulseward' },
} as const satisfies Record<`${string}Ms`, { readonly words: string; readonly label: string }>

export type CostPhase = keyof typeof COST_PHASES

export const COST_PHASE_KEYS = Object.keys(COST_PHASES) as readonly CostPhase[]
