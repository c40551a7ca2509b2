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
 * When a host is killed, events remain that were recorded after its last seal, and the killer may add or remove some. So events
 * that affect score or trust are announced in the seal before they are recorded, and marked there right after.
 *
 * Invariants:
 * 1. There are two slots. The slot of the event recorded last is not overwritten until a later event is recorded, not even by
 *    the next host, which first looks up unmarked events in the record.
 * 2. An announcement is on disk before its event, and its mark is written only once the event is on disk: an announced event may
 *    be missing, but a marked one never is.
 * 3. All writes are in place, so they work even when an agent has filled the disk.
 */

/** Event types recorded without an announcement, unless they start a new day: they affect neither score nor trust. */
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

/** Counts the events after `day`, from the first one that is announced: because of its type, or because it starts a new day. */
export function announcedOf(events: readonly RecordedEvent[], day: string): number {
  const first = events.findIndex((event) => isToBeAnnounced(event.type) || (day !== '' && event.day > day))
  return first < 0 ? 0 : events.length - first
}

/** An event: its number and the hash of its line. */
export interface RecordEnd {
  readonly seq: number
  readonly hash: string
}

/** Returns the last event known to be recorded, according to the seal and the announcements since. */
export function sealedEnd({ seq, hash, announced }: Seal): RecordEnd {
  return (announced ?? [])
    .map(readAnnouncement)
    .filter(({ isRecorded }) => isRecorded)
    .reduce<RecordEnd>((end, each) => (each.seq > end.seq ? each : end), { seq, hash })
}

/** Returns announced events that may or may not have been recorded. */
export function announcedOnly({ announced }: Seal): readonly Announcement[] {
  return (announced ?? []).map(readAnnouncement).filter(({ seq, isRecorded }) => seq > 0 && !isRecorded)
}

/** What the host that has a ledger open announces in its seal. */
export interface Announcements {
  /** Must be awaited before the event is recorded. `false`: there is no seal to announce it in. Never rejects. */
  announce(seq: number, hash: string, count: number): Promise<boolean>
  /** Marks the last announced event, which is now on disk. `false`: it could not be marked. Never rejects. */
  recorded(): Promise<boolean>
  /** Notes that the record up to here matches the seal. If that cannot be written, nothing changes. Never rejects. */
  found(end: RecordEnd): Promise<void>
  /** Returns the announcements to write into a seal that is being written now. */
  forSeal(): readonly [string, string]
  /** Call after a seal with these announcements was written. */
  sealedWith(announced: readonly [string, string]): void
  /** Call when the seal is gone. */
  forget(): void
}

/**
 * Announces events in the seal; writes go through `serialize`, like every write to it. `isRecorded` tells whether the opened
 * record has an event with this line; it is asked about events that the previous host may have recorded without marking.
 */
export function announceIn(
  store: SealStore,
  serialize: Serialize,
  isRecorded: (event: RecordEnd) => Promise<boolean>,
  log: Log,
): Announcements {
  // As they are in the file, except for marks that could not be written. `null`: not known yet.
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
    log.warn('An event could not be announced in the seal', { error: String(error) })
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
        // Remember it before writing: if the write fails, the place still has the old announcement and must not be the next one
        // written to.
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
    // Not earlier, because a seal that cannot be written still has the previous host's announcements.
    sealedWith: (announced) => {
      places = announced
    },
    forget: () => {
      places = null
    },
  }
}

/** Returns the place that no recorded event needs: its event was not recorded, or is older than the other one's. */
function freePlace(places: readonly [string, string]): 0 | 1 {
  const [first, second] = [readAnnouncement(places[0]), readAnnouncement(places[1])]
  if (first.isRecorded !== second.isRecorded) return first.isRecorded ? 1 : 0
  return first.seq <= second.seq ? 0 : 1
}
