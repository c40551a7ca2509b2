import { z } from 'zod'

/** How the operator's message to the agent was sent. */
export const NOTE_ORIGINS = ['note', 'thumb', 'unblock', 'overrule', 'refusal'] as const

export type NoteOrigin = (typeof NOTE_ORIGINS)[number]

export const noteOriginSchema = z.enum(NOTE_ORIGINS)

/** For use within the line that gives the agent the message. */
export const NOTE_ORIGIN_WORDS: Readonly<Record<NoteOrigin, string>> = {
  note: 'a note',
  thumb: 'with a thumb on an earlier attempt',
  unblock: 'on giving the task its attempts back',
  overrule: 'on overruling an earlier verdict',
  refusal: 'on refusing your held work',
}
