import type { EventType } from '../../core/record/events.ts'
import type { Log } from '../ports/log.ts'
import type { InTurn } from '../process/in-turn.ts'
import type { Seal, SealStore } from './seal.ts'

/*
 * A host that is killed leaves events behind its last seal, and whoever killed it may add some of his own, or take some away. So what
 * score and trust follow from is announced in the seal before it is recorded, and marked there as soon as it is.
 *
 * Invariants:
 * 1. There are two places. The one whose event was recorded last is not written to before a later event is recorded.
 * 2. An announcement is on disk before its event is, and its mark is not written before the event is on disk: an announced event may be
 *    missing, a marked one never.
 * 3. All is written in place: a disk that an agent has filled has room for it.
 */

/** What is recorded without a word in the seal, but where a day begins with it: neither score nor trust follows from it. */
const UNANNOUNCED: ReadonlySet<string> = new Set([
  'supervisor-started',
  'supervisor-stopped',
  'day-rolled',
  'heartbeats-missed',
  'heartbeat-skipped',
  'limit-near',
  'diagnostic-raised',
  'intervention-raised',
] satisfies readonly EventType[])

export function isToBeAnnounced(type: EventType): boolean {
  return !UNANNOUNCED.has(type)
}

/** Events that are recorded together, by the number of the last one and the hash of its line. */
interface Announcement {
  readonly seq: number
  readonly hash: string
  /** How many they are, from the first one on that is announced. */
  readonly count: number
  readonly isRecorded: boolean
}

const SEQ_DIGITS = 9
const COUNT_DIGITS = 3
const NOTHING_ANNOUNCED = write({ seq: 0, hash: '0'.repeat(64), count: 0, isRecorded: false })

/** As the seal's schema has it. */
function write({ seq, hash, count, isRecorded }: Announcement): string {
  const places = [digits(seq, SEQ_DIGITS), digits(count, COUNT_DIGITS)].join('')
  return `${isRecorded ? 1 : 0}${places}:${hash}`
}

function digits(number: number, length: number): string {
  return String(Math.min(number, 10 ** length - 1)).padStart(length, '0')
}

function read(text: string): Announcement {
  const [seqEnd, countEnd] = [1 + SEQ_DIGITS, 1 + SEQ_DIGITS + COUNT_DIGITS]
  return {
    seq: Number(text.slice(1, seqEnd)),
    count: Number(text.slice(seqEnd, countEnd)),
    hash: text.slice(countEnd + 1),
    isRecorded: text.startsWith('1'),
  }
}

/** The last event that is known to have been recorded, by the seal and by what was announced since. */
export function sealedEnd({ seq, hash, announced }: Seal): {
  readonly seq: number
  readonly hash: string
} {
  return (announced ?? [])
    .map(read)
    .filter(({ isRecorded }) => isRecorded)
    .reduce<{ readonly seq: number; readonly hash: string }>(
      (end, each) => (each.seq > end.seq ? each : end),
      { seq, hash },
    )
}

/** Events that were announced, and of which it is not known whether they were recorded. */
export function announcedOnly({ announced }: Seal): readonly Announcement[] {
  return (announced ?? []).map(read).filter(({ seq, isRecorded }) => seq > 0 && !isRecorded)
}

/** What the host that has a ledger open announces in its seal. */
export interface Announcements {
  /** Has to be waited for before the event is recorded. `false`: there is no seal that it could stand in. Never rejects. */
  announce(seq: number, hash: string, count: number): Promise<boolean>
  /** The event announced last is on disk. `false`: that could not be marked. Never rejects. */
  recorded(): Promise<boolean>
  /** What stands in a seal that is written now, and from then on; written in its turn. */
  forSeal(): readonly [string, string]
  /** There is no seal any more. */
  forget(): void
}

/** The seal is written `inTurn`, as everything that writes it has to be. */
export function announceIn(store: SealStore, inTurn: InTurn, log: Log): Announcements {
  // As they stand in the file; `null`: not known yet.
  let places: readonly [string, string] | null = null
  let last: (Omit<Announcement, 'isRecorded'> & { readonly place: 0 | 1 }) | null = null
  const keep = (place: 0 | 1, text: string): void => {
    if (places !== null) places = place === 0 ? [text, places[1]] : [places[0], text]
  }
  const warn = (error: unknown): false => {
    log.warn('What is recorded could not be announced in the seal', { error: String(error) })
    return false
  }
  return {
    announce: (seq, hash, count) =>
      inTurn(async () => {
        last = null
        places ??= (await store.read())?.announced ?? null
        if (places === null) return false
        const place = freePlace(places)
        const text = write({ seq, hash, count, isRecorded: false })
        if (!(await store.announce(place, text, false))) return false
        keep(place, text)
        last = { place, seq, hash, count }
        return true
      }).catch(warn),
    recorded: () =>
      inTurn(async () => {
        if (last === null) return true
        const { place } = last
        const text = write({ ...last, isRecorded: true })
        last = null
        // Known before it is written: where that fails, the place still has what was announced, and is not the next one to be written to.
        keep(place, text)
        return store.announce(place, text, true)
      }).catch(warn),
    forSeal: () => {
      places ??= [NOTHING_ANNOUNCED, NOTHING_ANNOUNCED]
      return places
    },
    forget: () => {
      places = null
    },
  }
}

/** One that no recorded event needs: its own was not recorded, or an earlier one than the other's. */
function freePlace(places: readonly [string, string]): 0 | 1 {
  const [first, second] = [read(places[0]), read(places[1])]
  if (first.isRecorded !== second.isRecorded) return first.isRecorded ? 1 : 0
  return first.seq <= second.seq ? 0 : 1
}
