import { join } from 'node:path'
import { lineOfEvent } from '../../../core/activity/event-line.ts'
import type { AgentEvent } from '../../../core/activity/types.ts'
import type { Replay, ReplayEntry } from '../../../core/read-model/replay.ts'
import { changedPaths } from '../../../core/verification/difference.ts'
import type { FileDifference } from '../../../core/verification/types.ts'
import { stat } from '../../files/names.ts'
import type { Clock } from '../../ports/clock.ts'

/** An attempt's beginning and end are kept, because they say more than its middle. */
const MAX_HEAD = 200
const MAX_TAIL = 300
const MAX_LINE_LENGTH = 300
/** A line that does not end is cut into pieces of this length. */
const MAX_OPEN_LENGTH = 16_384
const MAX_FILES = 200

/** Records what an agent said and did while it ran, and when. */
export interface ReplayRecorder {
  output(text: string): void
  event(event: AgentEvent): void
  /** The run has ended; ignore what follows. */
  ended(): void
  /** Returns everything on one timeline, including when changed files were last written. Never rejects. */
  read(directory: string, difference: FileDifference | null): Promise<Replay>
}

/** Starts recording. A program with an event stream is shown by its events, because its output is only their JSON. */
export function recordReplay(clock: Pick<Clock, 'nowMs' | 'monotonicMs'>): ReplayRecorder {
  const startedAtMs = clock.nowMs()
  const begunMs = clock.monotonicMs()
  const now = (): number => Math.max(0, Math.round(clock.monotonicMs() - begunMs))
  const printed = boundedEntries()
  const told = boundedEntries()
  let open = ''
  let hasEvents = false
  let endedMs = 0
  const say = (entries: BoundedEntries, text: string): void => {
    for (const line of text.split('\n'))
      if (line.trim() !== '') entries.add({ atMs: now(), kind: 'said', text: cut(line) })
  }
  return {
    output: (text) => {
      const lines = (open + text).split('\n')
      open = (lines.pop() ?? '').slice(-MAX_OPEN_LENGTH)
      if (!hasEvents) say(printed, lines.join('\n'))
    },
    event: (event) => {
      hasEvents = true
      if (event.kind === 'message') return say(told, event.text)
      const line = lineOfEvent(event)
      if (line !== null) told.add({ atMs: now(), kind: 'call', text: cut(line) })
    },
    ended: () => {
      endedMs = now()
    },
    read: async (directory, difference) => {
      const durationMs = endedMs
      if (!hasEvents && open.trim() !== '') printed.add({ atMs: durationMs, kind: 'said', text: cut(open) })
      const { entries, left } = (hasEvents ? told : printed).read()
      const files = await fileEntries(directory, difference, startedAtMs, durationMs)
      return { durationMs, entries: [...entries, ...files].toSorted((a, b) => a.atMs - b.atMs), left }
    },
  }
}

interface BoundedEntries {
  add(entry: ReplayEntry): void
  read(): { readonly entries: readonly ReplayEntry[]; readonly left: number }
}

function boundedEntries(): BoundedEntries {
  const head: ReplayEntry[] = []
  let tail: ReplayEntry[] = []
  let left = 0
  const shorten = (): void => {
    left += Math.max(0, tail.length - MAX_TAIL)
    tail = tail.slice(-MAX_TAIL)
  }
  return {
    add: (entry) => {
      if (head.length < MAX_HEAD) head.push(entry)
      else if (tail.push(entry) > 2 * MAX_TAIL) shorten()
    },
    read: () => {
      shorten()
      return { entries: [...head, ...tail], left }
    },
  }
}

async function fileEntries(
  directory: string,
  difference: FileDifference | null,
  startedAtMs: number,
  durationMs: number,
): Promise<readonly ReplayEntry[]> {
  if (difference === null) return []
  const entries: ReplayEntry[] = []
  for (const path of changedPaths(difference).slice(0, MAX_FILES)) {
    const stats = await stat(join(directory, path)).catch(() => null)
    // A deleted file has no time, and times can be forged, so clamp them to the run.
    const atMs = stats === null ? durationMs : stats.mtimeMs - startedAtMs
    entries.push({ atMs: Math.round(Math.min(durationMs, Math.max(0, atMs))), kind: 'file', text: path })
  }
  return entries
}

function cut(line: string): string {
  return line.length <= MAX_LINE_LENGTH ? line : `${line.slice(0, MAX_LINE_LENGTH - 1)}…`
}
