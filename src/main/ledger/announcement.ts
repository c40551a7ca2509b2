/** Events that are recorded together, by the number of the last one and the hash of its line. */
export interface Announcement {
  readonly seq: number
  readonly hash: string
  /** How many they are, from the first one on that is announced. */
  readonly count: number
  readonly isRecorded: boolean
}

/*
 * As text it is always as long as every other, for one is written over another in place: whether it is recorded (0, 1), the number (nine
 * decimal digits), how many (three digits to the base of 36: one append may hold an event for each of thousands of tasks), a colon, the hash.
 */

const SEQ_DIGITS = 9
const COUNT_DIGITS = 3
const COUNT_BASE = 36

/** What such a text looks like. */
export const ANNOUNCEMENT = new RegExp(`^[01]\\d{${SEQ_DIGITS}}[0-9a-z]{${COUNT_DIGITS}}:[0-9a-f]{64}$`)

export const NOTHING_ANNOUNCED = writeAnnouncement({
  seq: 0,
  hash: '0'.repeat(64),
  count: 0,
  isRecorded: false,
})

/** The announcement as text. A count that has no room in it is the largest that has: 46,655. */
export function writeAnnouncement({ seq, hash, count, isRecorded }: Announcement): string {
  const places = `${digits(seq, SEQ_DIGITS, 10)}${digits(count, COUNT_DIGITS, COUNT_BASE)}`
  return `${isRecorded ? 1 : 0}${places}:${hash}`
}

function digits(number: number, length: number, base: number): string {
  return Math.min(number, base ** length - 1)
    .toString(base)
    .padStart(length, '0')
}

/** What a text says that `ANNOUNCEMENT` fits. */
export function readAnnouncement(text: string): Announcement {
  const [seqEnd, countEnd] = [1 + SEQ_DIGITS, 1 + SEQ_DIGITS + COUNT_DIGITS]
  return {
    seq: Number(text.slice(1, seqEnd)),
    count: Number.parseInt(text.slice(seqEnd, countEnd), COUNT_BASE),
    hash: text.slice(countEnd + 1),
    isRecorded: text.startsWith('1'),
  }
}

/** The same, known to be recorded. */
export function markedAnnouncement(text: string): string {
  return writeAnnouncement({ ...readAnnouncement(text), isRecorded: true })
}
