import { z } from 'zod'

/** What a notification can be about, each of which can be turned off by itself. */
export const NOTIFICATION_KINDS = [
  'lockdown',
  'suspension',
  'blockedTask',
  'heldWork',
  'contractWeakened',
  'agentUnavailable',
] as const

export type NotificationKind = (typeof NOTIFICATION_KINDS)[number]

/** As the settings name them. */
export const NOTIFICATION_WORDS: Readonly<
  Record<NotificationKind, { readonly title: string; readonly meaning: string }>
> = {
  lockdown: { title: 'Lockdown', meaning: 'The score has fallen far below the target.' },
  suspension: { title: 'Suspension', meaning: 'A workspace waits for your review; nothing runs in it.' },
  blockedTask: { title: 'Blocked task', meaning: 'A task has failed and has no attempts left.' },
  heldWork: {
    title: 'Held work',
    meaning: 'An attempt is neither paid nor refused until you have looked.',
  },
  contractWeakened: {
    title: 'Contract or protected file weakened',
    meaning: 'An agent asked less of itself, or of the tests.',
  },
  agentUnavailable: {
    title: 'Agent unavailable',
    meaning: 'The program is missing, not logged in, or over its limit.',
  },
}

/** Trouble of Pulseward's own and requests that wait for an answer are always told. */
export const notificationSubjectSchema = z.enum([...NOTIFICATION_KINDS, 'trouble', 'permission'])

export type NotificationSubject = z.infer<typeof notificationSubjectSchema>
