/**
 * What can need the operator's attention, the most urgent first: what stopped everything, requests waiting for an answer, what is stuck,
 * what is wrong.
 */
export const NEED_KINDS = [
  'suspension',
  'record-not-whole',
  'contradiction',
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
  return count === 1 ? '1 decision needs your attention' : `${count} decisions need your attention`
}

/** The button label for each action. */
export const NEED_ACTIONS: Readonly<Record<NeedKind, string>> = {
  suspension: 'Review',
  'record-not-whole': 'View',
  contradiction: 'View',
  permission: 'Answer',
  approve: 'Approve',
  'no-configuration': 'View',
  proposal: 'Decide',
  held: 'Review',
  'landed-differs': 'View',
  landing: 'Decide',
  session: 'View',
  'contract-weakened': 'View',
  'agent-unavailable': 'View',
  budget: 'View',
  blocked: 'Unblock',
  'contract-unreadable': 'View',
  finding: 'View',
}
