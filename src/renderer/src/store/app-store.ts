import { createStore } from 'zustand/vanilla'
import type { ApiClient } from '../../../api/client.ts'
import { UNDO_SECONDS } from '../../../core/pacing/unblock.ts'
import { formatSignedPoints } from '../../../core/scoring/format.ts'
import type { Thumb } from '../../../core/vocabulary/task.ts'
import { findingsInWords } from '../../../core/vocabulary/unreviewed.ts'
import { toProblem } from '../api-client/problem.ts'
import { routeTo } from '../route/route.ts'
import { type AppActions, type AppData, type AppState, type AppStore, INITIAL_DATA } from './app-state.ts'
import { coalesced } from './coalesced.ts'
import { withConfirmedFeedback } from './feedback.ts'
import { keepLive } from './live.ts'
import { detailShown, wholeArrived, workspacesFetched } from './reducers.ts'

/** Creates the page's only store, fed by the API from the call of `start` until the function that it returns is called. */
export function createAppStore(api: ApiClient): AppStore & { start(): () => void } {
  const live = { retry: () => {} }
  const store = createStore<AppState>()((set, get) => ({
    ...INITIAL_DATA,
    api,
    // Not `randomUUID`, which is only available to pages from an address that browsers trust.
    stream: [...crypto.getRandomValues(new Uint32Array(4))].join('-'),
    ...viewActions(set, get, live),
    ...heartbeatActions(get),
    ...feedbackActions(set, get),
    ...seenActions(get),
    ...toastActions(set),
    ...settingsActions(set, get),
    ...permissionActions(set, get),
  }))
  const start = () => {
    const connection = keepLive(store)
    live.retry = connection.retry
    return connection.stop
  }
  return Object.assign(store, { start })
}

type Set = AppStore['setState']
type Get = AppStore['getState']

function viewActions(
  set: Set,
  get: Get,
  live: { retry: () => void },
): Pick<AppActions, 'watch' | 'refresh' | 'refreshWatched' | 'retryConnection'> {
  const refreshWatched = coalesced(() => fetchWatched(set, get))
  const refreshSidebar = coalesced(() => fetchSidebar(set, get))
  return {
    watch(id) {
      if (get().watchedId === id) return
      set({ watchedId: id })
      void refreshWatched()
    },
    refresh: async () => {
      await Promise.all([refreshSidebar(), refreshWatched()])
    },
    refreshWatched,
    retryConnection: () => live.retry(),
  }
}

async function fetchSidebar(set: Set, get: Get): Promise<void> {
  try {
    const before = get()
    const status = await before.api.status()
    set((data) => ({ version: status.version, ...workspacesFetched(data, status, before) }))
  } catch {
    // The live connection notices and reports it; its retry fetches again.
  }
}

async function fetchWatched(set: Set, get: Get): Promise<void> {
  const { api, stream, watchedId } = get()
  try {
    const whole = await api.workspaces.watch({ stream, id: watchedId })
    if (whole !== null) set((data) => wholeArrived(data, whole))
  } catch (error) {
    if (watchedId === null) return
    set((data) => ({ detailProblems: { ...data.detailProblems, [watchedId]: toProblem(error) } }))
  }
}

function heartbeatActions(get: Get): Pick<AppActions, 'runNow' | 'stopNow' | 'pause' | 'resume'> {
  const attempt = async (action: () => Promise<unknown>): Promise<boolean> => {
    try {
      await action()
      await get().refresh()
      return true
    } catch (error) {
      get().showToast({ tone: 'problem', text: toProblem(error).message, undo: null })
      return false
    }
  }
  const nameOf = (id: string) => get().workspaces.find((workspace) => workspace.id === id)?.name ?? id
  const actions: Pick<AppActions, 'runNow' | 'stopNow' | 'pause' | 'resume'> = {
    async runNow(id) {
      await attempt(() => get().api.heartbeat.run({ workspace: id, wait: false }))
    },
    async stopNow(id) {
      if (!(await attempt(() => get().api.heartbeat.stop({ workspace: id })))) return
      get().showToast({ tone: 'plain', text: `Stopped ${nameOf(id)}: nothing is scored`, undo: null })
    },
    async pause(id, until) {
      if (!(await attempt(() => get().api.heartbeat.pause({ workspace: id, until })))) return
      get().showToast({ tone: 'plain', text: `Paused ${nameOf(id)}`, undo: () => void get().resume(id) })
    },
    async resume(id) {
      const paused = get().workspaces.find((workspace) => workspace.id === id)?.paused ?? null
      if (!(await attempt(() => get().api.heartbeat.resume({ workspace: id })))) return
      if (paused === null) return
      const undo = () => void attempt(() => get().api.heartbeat.pause({ workspace: id, until: paused.until }))
      get().showToast({ tone: 'plain', text: `Resumed ${nameOf(id)}`, undo })
    },
  }
  return actions
}

function feedbackActions(set: Set, get: Get): Pick<AppActions, 'giveFeedback'> {
  const forget = (attemptId: string) =>
    set((data) => {
      const { [attemptId]: _answered, ...pendingFeedback } = data.pendingFeedback
      return { pendingFeedback }
    })
  return {
    async giveFeedback(id: string, attemptId: string, feedback: Thumb) {
      const underWay = get().pendingFeedback[attemptId]
      if (underWay === feedback) return
      set((data) => ({ pendingFeedback: { ...data.pendingFeedback, [attemptId]: feedback } }))
      // The pending call sends it once it is answered: the last thumb counts.
      if (underWay !== undefined) return
      let given: Thumb = feedback
      try {
        for (let sent: Thumb | undefined; sent !== given; given = get().pendingFeedback[attemptId] ?? given) {
          sent = given
          const { score } = await get().api.score.feedback({ workspace: id, attemptId, feedback: sent })
          const confirmed: Thumb = sent
          offerUndo(get, id, attemptId, confirmed)
          set((data) => {
            const detail = data.details[id]
            return detail === undefined
              ? {}
              : detailShown(data, withConfirmedFeedback(detail, attemptId, confirmed, score))
          })
        }
      } catch (error) {
        const text = `The thumbs ${given} was not taken. ${toProblem(error).message}`
        get().showToast({ tone: 'problem', text, undo: null })
      }
      forget(attemptId)
    },
  }
}

/** Offers to undo a thumb or comment on it for a minute, because one pressed by mistake costs points. */
function offerUndo(get: Get, workspace: string, attemptId: string, given: Thumb): void {
  const { api, details, showToast, refresh } = get()
  const points = details[workspace]?.thumbPoints?.[given]
  const undo = async (): Promise<void> => {
    try {
      await api.score.undoFeedback({ workspace, attemptId })
      await refresh()
    } catch (error) {
      const text = `The thumbs ${given} was not undone. ${toProblem(error).message}`
      showToast({ tone: 'problem', text, undo: null })
    }
  }
  showToast({
    tone: 'plain',
    text: `Thumbs ${given}${points === undefined ? '' : `, ${formatSignedPoints(points)} points`}`,
    undo: () => void undo(),
    undoUntilMs: Date.now() + UNDO_SECONDS * 1000,
    address: routeTo(workspace, 'attempt', attemptId),
    addressLabel: 'Note to the agent',
  })
}

/** For how many seconds marking a contradiction as seen can be undone; design-2, section 19. */
const SEEN_UNDO_SECONDS = 10

function seenActions(get: Get): Pick<AppActions, 'markSeen' | 'attemptOpened'> {
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
      await get().refresh()
    } catch (error) {
      get().showToast({ tone: 'problem', text: toProblem(error).message, undo: null })
    }
  }
  return {
    markSeen: (workspace, id) =>
      attempt(async () => {
        const { api, showToast } = get()
        const { seen: ids, others } = await (id === null
          ? api.seen.all({ workspace })
          : api.attempts.seen({ workspace, id }))
        if (ids.length === 0) return
        const undo = () =>
          void attempt(async () => {
            await api.seen.undo({ workspace, ids })
          })
        showToast({
          tone: 'plain',
          text: `${findingsInWords(ids.length, others)} marked as seen`,
          undo,
          undoUntilMs: Date.now() + SEEN_UNDO_SECONDS * 1000,
        })
      }),
    async attemptOpened(workspace, id) {
      try {
        await get().api.attempts.seen({ workspace, id, how: 'opened' })
        await get().refresh()
      } catch {
        // It stays unreviewed, as every screen shows; pressing Seen gives the reason.
      }
    },
  }
}

function settingsActions(
  set: Set,
  get: Get,
): Pick<AppActions, 'settingsArrived' | 'refreshSettings' | 'setTheme'> {
  return {
    settingsArrived: (settings) => set({ settings }),
    async setTheme(theme) {
      try {
        const { settings: before, hash } = await get().api.settings.get()
        if (before.theme === theme) return
        set({ settings: await get().api.settings.put({ changes: { theme }, hash }) })
        get().showToast({
          tone: 'plain',
          text: `Theme: ${theme}`,
          undo: () => void get().setTheme(before.theme),
        })
      } catch (error) {
        get().showToast({ tone: 'problem', text: toProblem(error).message, undo: null })
      }
    },
    async refreshSettings() {
      try {
        set({ settings: await get().api.settings.get() })
      } catch {
        // The page works without settings; their screen reports it and fetches again.
      }
    },
  }
}

function permissionActions(set: Set, get: Get): Pick<AppActions, 'refreshPermissions' | 'answerPermission'> {
  const refreshPermissions = coalesced(async () => {
    try {
      set({ permissions: await get().api.permissions.list({}) })
    } catch {
      // The live connection notices and reports it; its retry fetches again.
    }
  })
  return {
    refreshPermissions,
    async answerPermission(id, answer) {
      try {
        await get().api.permissions.answer({ id, answer })
      } catch (error) {
        get().showToast({ tone: 'notice', text: toProblem(error).message, undo: null })
      }
      await refreshPermissions()
    },
  }
}

/** More than this many would hide one another: the oldest is dropped, but those that can still be undone last. */
const MAX_TOASTS = 3

function withToast(toasts: AppData['toasts'], toast: AppData['toasts'][number]): AppData['toasts'] {
  if (toasts.length < MAX_TOASTS) return [...toasts, toast]
  const leaving = toasts.find(({ undoUntilMs }) => undoUntilMs === undefined) ?? toasts[0]
  return [...toasts.filter((each) => each !== leaving), toast]
}

/** Older messages are on the timeline, if they were about an event. */
const MAX_SAID = 100

function toastActions(set: Set): Pick<AppActions, 'showToast' | 'dismissToast' | 'readSaid' | 'clearSaid'> {
  let nextId = 1
  return {
    showToast: (toast) =>
      set(({ toasts, said, unread }) => {
        const shown = { ...toast, id: nextId++ }
        const { undo: _gone, undoUntilMs: _passed, ...words } = shown
        return {
          toasts: withToast(toasts, shown),
          said: [{ ...words, at: new Date().toISOString() }, ...said].slice(0, MAX_SAID),
          unread: unread + 1,
        }
      }),
    readSaid: () => set({ unread: 0 }),
    clearSaid: () => set({ said: [], unread: 0 }),
    dismissToast: (id) => set(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) })),
  }
}
