/**
 * What can need the operator's attention, the most urgent first: what has stopped everything, who waits for an answer, what is
 * stuck, what is wrong.
 */
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
  'session',
  'contract-weakened',
  'agent-unavailable',
  'budget',
  'blocked',
  'contract-unreadable',
  'finding',
] as const

export type NeedKind = (typeof NEED_KINDS)[number]

/** Returns how many decisions there are, for tray, badge, sidebar, overview and command line. */
export function needsInWords(count: number): string {
  return count === 1 ? '1 thing needs you' : `${count} things need you`
}

/** The label of the button for what the operator is asked to do. */
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
  session: 'View',
  'contract-weakened': 'Look',
  'agent-unavailable': 'Look',
  budget: 'Look',
  blocked: 'Unblock',
  'contract-unreadable': 'Look',
  finding: 'Look',
}
