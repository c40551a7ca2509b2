import type { LiveEvent } from '../../../api/schemas/live-event.ts'
import { toProblem } from '../api-client/problem.ts'
import { routeTo } from '../route/route.ts'
import type { AppStore } from './app-state.ts'
import { outputArrived, scoreUpdated, workspacesFetched } from './reducers.ts'

const FIRST_RETRY_MS = 500
const LAST_RETRY_MS = 15_000
/** A stream that lived this long was a real connection: the back-off starts anew. */
const STABLE_AFTER_MS = 10_000
/** Output chunks are shown together at about screen rate: an agent may print thousands a second. */
const OUTPUT_EVERY_MS = 50
/** Updates come in bursts (one per ledger event): wait a little, then fetch once. */
const REFRESH_AFTER_MS = 40

/**
 * Keeps the store fed: subscribes, fetches, follows the events, and begins anew with back-off whenever the stream ends.
 * The subscription comes before the fetch, so that nothing falls between the two.
 */
export function keepLive(store: AppStore): { retry(): void; stop(): void } {
  const abort = new AbortController()
  const pause = { wake: () => {} }
  const follower = followEvents(store)
  const run = async () => {
    let delayMs = FIRST_RETRY_MS
    while (!abort.signal.aborted) {
      const startedMs = performance.now()
      const problem = await connectOnce(store, follower.take, abort.signal)
      if (abort.signal.aborted) return
      if (performance.now() - startedMs > STABLE_AFTER_MS) delayMs = FIRST_RETRY_MS
      store.setState({ connection: { kind: 'lost', retryAtMs: Date.now() + delayMs, problem } })
      const woken = await sleep(delayMs, pause)
      delayMs = woken ? FIRST_RETRY_MS : Math.min(LAST_RETRY_MS, delayMs * 2)
    }
  }
  void run()
  return {
    retry: () => pause.wake(),
    stop() {
      abort.abort()
      follower.stop()
      pause.wake()
    },
  }
}

/** Resolves with the reason once the connection is no more. Never rejects. */
async function connectOnce(store: AppStore, take: (event: LiveEvent) => void, signal: AbortSignal) {
  try {
    const events = await store.getState().api.events({}, { signal })
    // Not through `refresh`, which swallows: a host that answers the stream but not this counts as lost.
    const { version, workspaces } = await store.getState().api.status()
    store.setState((data) => ({
      connection: { kind: 'online' },
      version,
      ...workspacesFetched(data, workspaces),
    }))
    void store.getState().refreshWatched()
    void store.getState().refreshSettings()
    void store.getState().refreshPermissions()
    for await (const event of events) take(event)
    return { code: 'UNREACHABLE', message: 'Pulseward ended the connection.' }
  } catch (error) {
    return toProblem(error)
  }
}

/** Takes events into the store; output and refetches are gathered for a moment first. */
function followEvents(store: AppStore): { take(event: LiveEvent): void; stop(): void } {
  let chunks: Extract<LiveEvent, { type: 'attempt-output' }>[] = []
  const showOutput = delayed(OUTPUT_EVERY_MS, () => {
    const arrived = chunks
    chunks = []
    store.setState((data) => outputArrived(data, arrived))
  })
  let sidebarToo = false
  const refetch = delayed(REFRESH_AFTER_MS, () => {
    const { refresh, refreshWatched } = store.getState()
    void (sidebarToo ? refresh() : refreshWatched())
    sidebarToo = false
  })
  const take = (event: LiveEvent) => {
    switch (event.type) {
      case 'attempt-output':
        chunks.push(event)
        return showOutput.start()
      case 'score-updated':
        return store.setState((data) => scoreUpdated(data, event))
      case 'permissions-changed':
        return void store.getState().refreshPermissions()
      case 'notification':
        // The request itself is on the page, with its answers.
        if (event.about === 'permission') return
        return store.getState().showToast({
          tone: 'notice',
          text: `${event.title}: ${event.body}`,
          undo: null,
          address: addressOf(event),
        })
      case 'settings-changed': {
        const { type: _type, ...settings } = event
        return store.getState().settingsArrived(settings)
      }
      case 'workspaces-changed':
        sidebarToo = true
        return refetch.start()
      case 'workspace-updated':
      case 'attempt-started':
      case 'attempt-finished':
        // The watched workspace's detail carries its place in the sidebar with it.
        sidebarToo ||= event.workspace !== store.getState().watchedId
        return refetch.start()
    }
  }
  return {
    take,
    stop() {
      showOutput.cancel()
      refetch.cancel()
    },
  }
}

/** The screen on which one looks at what a notification is about. */
function addressOf({ workspace, about, task }: Extract<LiveEvent, { type: 'notification' }>): string {
  switch (about) {
    case 'blockedTask':
      return routeTo(workspace, 'blocked', task)
    case 'contractWeakened':
      return routeTo(workspace, 'timeline')
    default:
      return routeTo(workspace)
  }
}

/** `action` runs `ms` after the first of any number of `start` calls. */
function delayed(ms: number, action: () => void): { start(): void; cancel(): void } {
  let timer: ReturnType<typeof setTimeout> | null = null
  return {
    start() {
      timer ??= setTimeout(() => {
        timer = null
        action()
      }, ms)
    },
    cancel() {
      if (timer !== null) clearTimeout(timer)
      timer = null
    },
  }
}

/** Resolves after `ms`, or at once with `true` when woken. */
function sleep(ms: number, pause: { wake: () => void }): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms)
    pause.wake = () => {
      clearTimeout(timer)
      resolve(true)
    }
  })
}
