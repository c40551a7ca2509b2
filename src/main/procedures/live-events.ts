import type { LiveEvent } from '../../api/schemas/live-event.ts'
import type { Watched } from '../host/event-hub.ts'
import type { HostParts } from '../host/host-parts.ts'
import { pushedWorkspace, scoreOf } from '../host/workspace-views.ts'

/** A client that is further behind than this has stalled: it fetches everything again instead of replaying. */
const MAX_QUEUED_EVENTS = 1000
/** Limit for agent output: about what a screen's scrollback has. */
const MAX_QUEUED_OUTPUT_CHARACTERS = 1024 * 1024

/**
 * The events still to be sent to a client, limited however slow the client is:
 * 1. For events that only report the latest state, just the newest per subject is kept.
 * 2. Beyond a limit, the oldest agent output is dropped first, because the attempt's log has all of it.
 * 3. Other events are dropped only after that, and replaced with a `workspace-updated` that makes the client fetch
 *    again.
 */
export class EventQueue {
  /** In order of arrival, which a Map keeps even when the value of a key is replaced. */
  readonly #events = new Map<string, LiveEvent>()
  #arrivals = 0
  #outputCharacters = 0

  get size(): number {
    return this.#events.size
  }

  push(event: LiveEvent): void {
    const key = subjectOf(event) ?? `#${this.#arrivals++}`
    this.#events.set(key, event)
    if (event.type === 'attempt-output') this.#outputCharacters += event.text.length
    while (this.#outputCharacters > MAX_QUEUED_OUTPUT_CHARACTERS) this.#dropOldestOutput()
    if (this.#events.size > MAX_QUEUED_EVENTS) this.#dropOne()
  }

  shift(): LiveEvent | undefined {
    const first = this.#events.entries().next()
    if (first.done) return undefined
    const [key, event] = first.value
    this.#remove(key, event)
    return event
  }

  #dropOne(): void {
    if (this.#dropOldestOutput()) return
    for (const [key, event] of this.#events) {
      if (subjectOf(event) !== null || !('workspace' in event)) continue
      this.#remove(key, event)
      const replacement: LiveEvent = { type: 'workspace-updated', workspace: event.workspace, view: null }
      this.#events.set(subjectOf(replacement) ?? key, replacement)
      return
    }
  }

  #dropOldestOutput(): boolean {
    for (const [key, event] of this.#events) {
      if (event.type !== 'attempt-output') continue
      this.#remove(key, event)
      return true
    }
    return false
  }

  #remove(key: string, event: LiveEvent): void {
    this.#events.delete(key)
    if (event.type === 'attempt-output') this.#outputCharacters -= event.text.length
  }
}

/** Returns the subject about which an event replaces earlier ones; `null` for an event that replaces none. */
function subjectOf(event: LiveEvent): string | null {
  if (!LATEST.has(event.type)) return null
  return 'workspace' in event ? `${event.type} ${event.workspace}` : event.type
}

/** Of these, only the latest counts; of a workspace, if they are about one. */
const LATEST: ReadonlySet<LiveEvent['type']> = new Set([
  'score-updated',
  'workspace-updated',
  'permissions-changed',
  'change-updated',
  'workspaces-changed',
  'settings-changed',
  'updates-changed',
  'fleet-changed',
])

/**
 * Returns the event with the whole workspace if the client watches it. If that fails, the client is told to fetch it, which gives the
 * reason.
 */
async function completed(
  event: LiveEvent,
  watched: Watched,
  workspaces: HostParts['workspaces'],
): Promise<LiveEvent> {
  if (event.type !== 'workspace-updated' || event.workspace !== watched.workspace) return event
  const runtime = workspaces.all().find(({ id }) => id === event.workspace)
  if (event.view === null || runtime === undefined) return event
  try {
    return { ...event, whole: await pushedWorkspace(runtime) }
  } catch {
    return { ...event, view: null }
  }
}

/**
 * Returns the live events of one workspace, or of all if none is named, beginning with each workspace's score so
 * that a client has the state at once. Ends when one of `signals` aborts or the reader returns. Throws a
 * `RequestProblem` before subscribing if the workspace doesn't exist.
 *
 * It is an iterator object, not an async generator, because `return` can't end a generator that is waiting for the
 * next event.
 */
export function liveEvents(
  { workspaces, hub }: Pick<HostParts, 'workspaces' | 'hub'>,
  { workspace, stream }: { readonly workspace?: string | undefined; readonly stream?: string | undefined },
  signals: readonly AbortSignal[],
): AsyncIteratorObject<LiveEvent, undefined, void> {
  const queue = new EventQueue()
  for (const runtime of workspace === undefined ? workspaces.all() : [workspaces.get(workspace)]) {
    queue.push({ type: 'score-updated', workspace: runtime.id, score: scoreOf(runtime) })
  }
  const waiting: (() => void)[] = []
  const wakeAll = () => {
    for (const wake of waiting.splice(0)) wake()
  }
  const unsubscribe = hub.subscribe((event) => {
    if (workspace !== undefined && 'workspace' in event && event.workspace !== workspace) return
    queue.push(event)
    wakeAll()
  })
  const watched: Watched = { workspace: null }
  if (stream !== undefined) hub.watched.set(stream, watched)
  let ended = false
  const end = () => {
    if (ended) return
    ended = true
    unsubscribe()
    // A client that reconnected under the same name before this one was found to be gone keeps its own entry.
    if (stream !== undefined && hub.watched.get(stream) === watched) hub.watched.delete(stream)
    for (const signal of signals) signal.removeEventListener('abort', end)
    wakeAll()
  }
  for (const signal of signals) signal.addEventListener('abort', end)
  if (signals.some((signal) => signal.aborted)) end()

  return {
    async next() {
      for (;;) {
        const event = ended ? undefined : queue.shift()
        if (event !== undefined) return { done: false, value: await completed(event, watched, workspaces) }
        if (ended) return { done: true, value: undefined }
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
    },
    async return() {
      end()
      return { done: true, value: undefined }
    },
    async [Symbol.asyncDispose]() {
      end()
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
