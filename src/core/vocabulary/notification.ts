import type { Severity } from './severity.ts'

/** What a notification can be about; each can be turned off separately. */
export const NOTIFICATION_KINDS = [
  'lockdown',
  'suspension',
  'blockedTask',
  'heldWork',
  'contractWeakened',
  'agentUnavailable',
  'budget',
  'update',
] as const

export type NotificationKind = (typeof NOTIFICATION_KINDS)[number]

interface NotificationRow {
  /** As named in the settings. */
  readonly title: string
  readonly meaning: string
  readonly severity: Severity
  /** The workspace tab that shows it; absent: today's. */
  readonly tab?: 'blocked' | 'timeline'
}

export const NOTIFICATION_ROWS: Readonly<Record<NotificationKind, NotificationRow>> = {
  lockdown: {
    title: 'Lockdown',
    meaning: 'The score has fallen far below the target: all tasks are required.',
    severity: 'critical',
  },
  suspension: {
    title: 'Suspension',
    meaning: 'A workspace was stopped for your review.',
    severity: 'critical',
  },
  blockedTask: {
    title: 'Blocked task',
    meaning: 'A task failed and has no attempts left.',
    severity: 'warning',
    tab: 'blocked',
  },
  heldWork: {
    title: 'Held work',
    meaning: 'An attempt is held for your review: no points yet.',
    severity: 'warning',
  },
  contractWeakened: {
    title: 'Contract or protected file weakened',
    meaning: 'An agent weakened its own tasks, checks or tests.',
    severity: 'critical',
    tab: 'timeline',
  },
  agentUnavailable: {
    title: 'Agent unavailable',
    meaning: 'The program is missing, not logged in, or over its limit.',
    severity: 'warning',
  },
  budget: {
    title: 'Budget',
    meaning: 'A daily limit is nearly used up, or reached.',
    severity: 'warning',
  },
  update: {
    title: 'Newer version',
    meaning: 'A newer version of Pulseward is available.',
    severity: 'info',
  },
}

/** Pulseward errors and permission requests are always notified; the daily report goes to channels only. */
export const NOTIFICATION_SUBJECTS = [...NOTIFICATION_KINDS, 'trouble', 'permission', 'report'] as const

export type NotificationSubject = (typeof NOTIFICATION_SUBJECTS)[number]

/** Returns the workspace tab that shows what a notification is about. */
export function notificationTab(about: NotificationSubject): 'today' | 'blocked' | 'timeline' {
  return (about in NOTIFICATION_ROWS && NOTIFICATION_ROWS[about as NotificationKind].tab) || 'today'
}

/** Returns the severity of a notification about this. */
export function notificationSeverity(about: NotificationSubject): Severity {
  switch (about) {
    case 'trouble':
      return 'critical'
    case 'permission':
      return 'warning'
    case 'report':
      return 'info'
    default:
      return NOTIFICATION_ROWS[about].severity
  }
}
