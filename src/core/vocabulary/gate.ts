/** The result of a gate. An unavailable gate says nothing about the agent's work. */
export const GATE_STATUSES = ['passed', 'failed', 'unavailable'] as const

export type GateStatus = (typeof GATE_STATUSES)[number]
