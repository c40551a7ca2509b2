/** Events recorded together: the number of the last one and the hash of its line. */
export interface Announcement {
  readonly seq: number
  readonly hash: string
  /** Number of events, from the first one that is announced. */
  readonly count: number
  readonly isRecorded: boolean
}

/*
 * The text always has the same length because one is written over another in place: whether it is recorded (0, 1), the number
 * (nine decimal digits), the count (three base-36 digits: one append may hold an event for each of thousands of tasks), a colon,
 * the hash.
 */

const SEQ_DIGITS = 9
const COUNT_DIGITS = 3
const COUNT_BASE = 36

/** Matches such a text. */
export const ANNOUNCEMENT = new RegExp(`^[01]\\d{${SEQ_DIGITS}}[0-9a-z]{${COUNT_DIGITS}}:[0-9a-f]{64}$`)

export const NOTHING_ANNOUNCED = writeAnnouncement({
  seq: 0,
  hash: '0'.repeat(64),
  count: 0,
  isRecorded: false,
})

/** Returns the announcement as text. A count too large for its digits becomes the largest that fits: 46,655. */
export function writeAnnouncement({ seq, hash, count, isRecorded }: Announcement): string {
  const places = `${digits(seq, SEQ_DIGITS, 10)}${digits(count, COUNT_DIGITS, COUNT_BASE)}`
  return `${isRecorded ? 1 : 0}${places}:${hash}`
}

function digits(number: number, length: number, base: number): string {
  return Math.min(number, base ** length - 1)
    .toString(base)
    .padStart(length, '0')
}

/** Parses a text that matches `ANNOUNCEMENT`. */
export function readAnnouncement(text: string): Announcement {
  const [seqEnd, countEnd] = [1 + SEQ_DIGITS, 1 + SEQ_DIGITS + COUNT_DIGITS]
  return {
    seq: Number(text.slice(1, seqEnd)),
    count: Number.parseInt(text.slice(seqEnd, countEnd), COUNT_BASE),
    hash: text.slice(countEnd + 1),
    isRecorded: text.startsWith('1'),
  }
}

/** Returns the same announcement, marked as recorded. */
export function markedAnnouncement(text: string): string {
  return writeAnnouncement({ ...readAnnouncement(text), isRecorded: true })
}
