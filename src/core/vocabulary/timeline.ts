import { z } from 'zod'

/** What an entry of the timeline is about. */
export const TIMELINE_KINDS = [
  'verdict',
  'intervention',
  'feedback',
  'standing',
  'contract',
  'unblock',
  'pause',
  'gap',
  'trust',
  'landing',
  'notice',
  'session',
] as const

export type TimelineKind = (typeof TIMELINE_KINDS)[number]

export const timelineKindSchema = z.enum(TIMELINE_KINDS)
