import type { EventType, RecordedEvent } from '../../core/record/events.ts'
import type { Log } from '../ports/log.ts'
import type { Serialize } from '../process/serialize.ts'
import {
  type Announcement,
  markedAnnouncement,
  NOTHING_ANNOUNCED,
  readAnnouncement,
  writeAnnouncement,
} from './announcement.ts'
import type { Seal, SealStore } from './seal.ts'

/*
 * A host that is killed leaves events behind its last seal, and whoever killed it may add some of his own, or take some
 * away. So what score and trust follow from is announced in the seal before it is recorded, and marked there as soon as it is.
 *
 * Invariants:
 * 1. There are two places. The one whose event was recorded last is not written to before a later event is recorded, by the
 *    next host neither: one that was recorded and not marked is found in the record first.
 * 2. An announcement is on disk before its event is, and its mark is not written before the event is on disk: an announced
 *    event may be missing, a marked one never.
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

/** How many events behind the `day`, from the first one on that is announced: by its type, or because a day begins with it. */
export function announcedOf(events: readonly RecordedEvent[], day: string): number {
  const first = events.findIndex((event) => isToBeAnnounced(event.type) || (day !== '' && event.day > day))
  return first < 0 ? 0 : events.length - first
}

/** An event, by its number and the hash of its line. */
export interface RecordEnd {
  readonly seq: number
  readonly hash: string
}

/** The last event that is known to have been recorded, by the seal and by what was announced since. */
export function sealedEnd({ seq, hash, announced }: Seal): RecordEnd {
  return (announced ?? [])
    .map(readAnnouncement)
    .filter(({ isRecorded }) => isRecorded)
    .reduce<RecordEnd>((end, each) => (each.seq > end.seq ? each : end), { seq, hash })
}

/** Events that were announced, and of which it is not known whether they were recorded. */
export function announcedOnly({ announced }: Seal): readonly Announcement[] {
  return (announced ?? []).map(readAnnouncement).filter(({ seq, isRecorded }) => seq > 0 && !isRecorded)
}

/** What the host that has a ledger open announces in its seal. */
export interface Announcements {
  /** Has to be waited for before the event is recorded. `false`: there is no seal that it could stand in. Never rejects. */
  announce(seq: number, hash: string, count: number): Promise<boolean>
  /** The event announced last is on disk. `false`: that could not be marked. Never rejects. */
  recorded(): Promise<boolean>
  /** The record up to here was held against the seal and fits. Where that cannot be written down, it is as before. Never rejects. */
  found(end: RecordEnd): Promise<void>
  /** What is to stand in a seal that is written now, in its turn. */
  forSeal(): readonly [string, string]
  /** A seal with these was written. */
  sealedWith(announced: readonly [string, string]): void
  /** There is no seal any more. */
  forget(): void
}

/**
 * The seal is written `serialize`, as everything that writes it has to be. `isRecorded`: whether the record that was opened has an
 * event with this line; asked of what the host before may have recorded without marking it.
 */
export function announceIn(
  store: SealStore,
  serialize: Serialize,
  isRecorded: (event: RecordEnd) => Promise<boolean>,
  log: Log,
): Announcements {
  // As they stand in the file, but for marks that could not be written; `null`: not known yet.
  let places: readonly [string, string] | null = null
  let last: (Omit<Announcement, 'isRecorded'> & { readonly place: 0 | 1 }) | null = null
  const keep = (place: 0 | 1, text: string): void => {
    if (places !== null) places = place === 0 ? [text, places[1]] : [places[0], text]
  }
  const read = async (): Promise<readonly [string, string] | null> => {
    const announced = (await store.read())?.announced
    if (announced === undefined) return null
    const known = async (text: string): Promise<string> => {
      const { isRecorded: isMarked, ...event } = readAnnouncement(text)
      const isKnown = isMarked || event.seq === 0
      return !isKnown && (await isRecorded(event).catch(() => false)) ? markedAnnouncement(text) : text
    }
    return [await known(announced[0]), await known(announced[1])]
  }
  const warn = (error: unknown): false => {
    log.warn('What is recorded could not be announced in the seal', { error: String(error) })
    return false
  }
  return {
    announce: (seq, hash, count) =>
      serialize(async () => {
        last = null
        places ??= await read()
        if (places === null) return false
        const place = freePlace(places)
        const text = writeAnnouncement({ seq, hash, count, isRecorded: false })
        if (!(await store.announce(place, text, false))) return false
        keep(place, text)
        last = { place, seq, hash, count }
        return true
      }).catch(warn),
    recorded: () =>
      serialize(async () => {
        if (last === null) return true
        const { place } = last
        const text = writeAnnouncement({ ...last, isRecorded: true })
        last = null
        // Known before it is written: where that fails, the place still has what was announced, and is not the next one to
        // be written to.
        keep(place, text)
        return store.announce(place, text, true)
      }).catch(warn),
    found: (end) =>
      serialize(async () => {
        places ??= await read()
        if (places === null) return
        const place = freePlace(places)
        const text = writeAnnouncement({ ...end, count: 0, isRecorded: true })
        if (await store.announce(place, text, true)) keep(place, text)
      }).catch((error: unknown) => void warn(error)),
    forSeal: () => places ?? [NOTHING_ANNOUNCED, NOTHING_ANNOUNCED],
    // Not before: a seal that cannot be written leaves there what the host before announced.
    sealedWith: (announced) => {
      places = announced
    },
    forget: () => {
      places = null
    },
  }
}

/** One that no recorded event needs: its own was not recorded, or an earlier one than the other's. */
function freePlace(places: readonly [string, string]): 0 | 1 {
  const [first, second] = [readAnnouncement(places[0]), readAnnouncement(places[1])]
  if (first.isRecorded !== second.isRecorded) return first.isRecorded ? 1 : 0
  return first.seq <= second.seq ? 0 : 1
}
