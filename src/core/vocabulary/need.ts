/** What can ask for the operator, the most urgent first: what has stopped everything, who waits for an answer, what is stuck, what is amiss. */
export const NEED_KINDS = [
  'suspension',
  'record-not-whole',
  'permission',
  'approve',
  'no-configuration',
  'proposal',
  'held',
  'landed-differs',
  'landing',
  'contract-weakened',
  'agent-unavailable',
  'budget',
  'blocked',
  'contract-unreadable',
  'finding',
] as const

export type NeedKind = (typeof NEED_KINDS)[number]

/** How many there are, as tray, badge, sidebar, overview and command line say it. */
export function needsInWords(count: number): string {
  return count === 1 ? '1 thing needs you' : `${count} things need you`
}

/** What the operator is asked to do, as a button says it. */
export const NEED_ACTIONS: Readonly<Record<NeedKind, string>> = {
  suspension: 'Review',
  'record-not-whole': 'Look',
  permission: 'Answer',
  approve: 'Approve',
  'no-configuration': 'Look',
  proposal: 'Decide',
  held: 'Review',
  'landed-differs': 'View',
  landing: 'Decide',
  'contract-weakened': 'Look',
  'agent-unavailable': 'Look',
  budget: 'Look',
  blocked: 'Unblock',
  'contract-unreadable': 'Look',
  finding: 'Look',
}
