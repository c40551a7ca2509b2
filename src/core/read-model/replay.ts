import { z } from 'zod'

/** One thing that happened while an attempt ran. */
export const replayEntrySchema = z.object({
  /** Milliseconds since the run began. */
  atMs: z.number(),
  /** `said`: a line of output; `call`: a tool call as the program reports it; `file`: the file's last write, at this moment. */
  kind: z.enum(['said', 'call', 'file']),
  text: z.string(),
})

/** A run on one time axis, oldest first; `left` entries in the middle were left out. */
export const replaySchema = z.object({
  durationMs: z.number(),
  entries: z.array(replayEntrySchema),
  left: z.int(),
})

export type ReplayEntry = z.infer<typeof replayEntrySchema>

export type Replay = z.infer<typeof replaySchema>

interface ComparedThing {
  readonly subject: string
  readonly claimed: string | null
}

/** Returns whether a line states the claim: it names the subject and, if the claim has a value, the value. */
function says({ kind, text }: ReplayEntry, { subject, claimed }: ComparedThing): boolean {
  if (kind !== 'said') return false
  if (subject === 'completion') return /EXIT_SIGNAL: true|"exit_signal": ?true|"status": ?"done"/i.test(text)
  const value = claimed === 'written' || claimed === null ? '' : claimed
  return text.includes(subject) && text.includes(value)
}

/**
 * Finds a claim in a replay: `said` is the last line that states it (a program may think aloud before), `shown` the changes of the file
 * that it names. Indices into `entries`. Pure.
 */
export function findClaimInReplay(
  { entries }: Pick<Replay, 'entries'>,
  claim: ComparedThing,
): { readonly said: readonly number[]; readonly shown: readonly number[] } {
  const last = entries.findLastIndex((entry) => says(entry, claim))
  const shown = entries.flatMap(({ kind, text }, index) =>
    kind === 'file' && text === claim.subject ? [index] : [],
  )
  return { said: last < 0 ? [] : [last], shown }
}

/** What a time axis shows: the entries, and long idle times between them. */
export type ReplayRow =
  | { readonly kind: 'entry'; readonly index: number; readonly entry: ReplayEntry }
  | { readonly kind: 'idle'; readonly ms: number; readonly afterMs: number }

/** Idle time of at least this is folded into one row. */
const IDLE_MS = 15_000

/** Returns the rows of a replay with idle time folded, including before its first entry and after its last. */
export function replayRows({ entries, durationMs }: Replay): readonly ReplayRow[] {
  const rows: ReplayRow[] = []
  let beforeMs = 0
  const fold = (untilMs: number): void => {
    if (untilMs - beforeMs >= IDLE_MS) rows.push({ kind: 'idle', ms: untilMs - beforeMs, afterMs: beforeMs })
  }
  for (const [index, entry] of entries.entries()) {
    fold(entry.atMs)
    rows.push({ kind: 'entry', index, entry })
    beforeMs = Math.max(beforeMs, entry.atMs)
  }
  fold(durationMs)
  return rows
}

/** Returns a function from a moment to its place, from 0 to 1, on an axis where long idle time takes as much room as `IDLE_MS`. */
export function foldedPlace({ entries, durationMs }: Replay): (atMs: number) => number {
  const moments = [...new Set([0, ...entries.map(({ atMs }) => atMs), durationMs])].toSorted((a, b) => a - b)
  const places = new Map<number, number>()
  let place = 0
  let beforeMs = 0
  for (const moment of moments) {
    place += Math.min(moment - beforeMs, IDLE_MS)
    places.set(moment, place)
    beforeMs = moment
  }
  return (atMs) => (place === 0 ? 0 : (places.get(atMs) ?? place) / place)
}
