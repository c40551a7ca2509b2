import { z } from 'zod'

/** Where words of the operator's to the agent were said. */
export const NOTE_ORIGINS = ['note', 'thumb', 'unblock', 'overrule', 'refusal'] as const

export type NoteOrigin = (typeof NOTE_ORIGINS)[number]

export const noteOriginSchema = z.enum(NOTE_ORIGINS)

/** Within the line that tells the agent of it. */
export const NOTE_ORIGIN_WORDS: Readonly<Record<NoteOrigin, string>> = {
  note: 'a note',
  thumb: 'with a thumb on an earlier attempt',
  unblock: 'on giving the task its attempts back',
  overrule: 'on overruling an earlier verdict',
  refusal: 'on refusing your held work',
}
