import { shorten } from './attempt-summary.ts'
import type { TimelineEntry } from './timeline-entry.ts'

/*
 * The timeline is derived from the events alone, one by one, so that any part of a ledger of any length can be shown without the rest. All
 * sizes are limited here: a page of entries must stay small whatever an agent wrote.
 */
const MAX_SENTENCES = 30
const MAX_FILES = 50
const MAX_SENTENCE_LENGTH = 500
const MAX_NOTE_LENGTH = 2000

/** The fields that one kind of event sets in an entry; the rest are as in `NOTHING_SAID`. */
export type EntryBody = Partial<TimelineEntry> & Pick<TimelineEntry, 'kind' | 'type' | 'title'>

export function sentence(text: string): string {
  return shorten(text, MAX_SENTENCE_LENGTH)
}

export function sentences(texts: readonly string[]): string[] {
  return texts.slice(0, MAX_SENTENCES).map(sentence)
}

/**
 * Returns an ISO 8601 moment as the local clock showed it, to the minute: `2026-11-23 18:15`, or `18:15` if `after` is a moment of the same
 * day. Text that isn't a moment is returned unchanged.
 */
export function momentWords(moment: string, after = ''): string {
  const [, day, time] = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})/.exec(moment) ?? []
  if (day === undefined) return moment
  return after.startsWith(day) ? `${time}` : `${day} ${time}`
}

/** Returns what a person wrote; `null` if it is empty. */
export function noteOf(text: string | null): string | null {
  return text === null || text.trim() === '' ? null : shorten(text, MAX_NOTE_LENGTH)
}

/** Returns the first of `count` files. */
export function filesOf(
  files: readonly string[],
  count: number,
): Pick<TimelineEntry, 'files' | 'filesCount'> {
  return { files: files.slice(0, MAX_FILES).map(sentence), filesCount: count }
}
