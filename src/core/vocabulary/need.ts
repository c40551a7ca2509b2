/** What can ask for the operator, the most urgent first: what has stopped everything, who waits for an answer, what is stuck, what is amiss. */
export const NEED_KINDS = [
  'suspension',
  'record-not-whole',
  'contradiction',
  'permission',
  'approve',
  'no-configuration',
  'proposal',
  'held',
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
  return count === 1 ? '1 decision needs your attention' : `${count} decisions need your attention`
}

/** What the operator is asked to do, as a button says it. */
export const NEED_ACTIONS: Readonly<Record<NeedKind, string>> = {
  suspension: 'Review',
  'record-not-whole': 'View',
  contradiction: 'View',
  permission: 'Answer',
  approve: 'Approve',
  'no-configuration': 'View',
  proposal: 'Decide',
  held: 'Review',
  'contract-weakened': 'View',
  'agent-unavailable': 'View',
  budget: 'View',
  blocked: 'Unblock',
  'contract-unreadable': 'View',
  finding: 'View',
}
