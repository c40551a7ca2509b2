import { type BrowserWindow, dialog } from 'electron'
import { NEW_PAGE, type NewPageReason } from '../../api/new-page.ts'

/** A page that crashes this often within this time crashes because of its content; it is then reloaded only on request. */
const MAX_ENDS = 3
const WITHIN_MS = 60_000

/**
 * Reloads the page of `window` at its address when its process has crashed, and offers a reload when it does not respond. The
 * host is another process: what runs there continues.
 */
export function recoverPage(
  window: BrowserWindow,
  { isQuitting, nowMs }: { readonly isQuitting: () => boolean; readonly nowMs: () => number },
): void {
  let ends: number[] = []
  let reason: NewPageReason = 'ended'
  window.webContents.on('render-process-gone', (_event, { reason: how }) => {
    if (how === 'clean-exit' || isQuitting()) return
    ends = [...ends.filter((atMs) => nowMs() - atMs < WITHIN_MS), nowMs()]
    const why = reason
    reason = 'ended'
    // Not within the event, because the window is still detaching from the old process.
    if (ends.length <= MAX_ENDS) return void setImmediate(() => void beginAnew(window, why))
    offerReload(window, 'The page of Pulseward ends again and again.', 'Leave it', null, () => {
      ends = []
      void beginAnew(window, why)
    })
  })
  let asking = new AbortController()
  window.on('responsive', () => asking.abort())
  // An open question would prevent the window, and therefore the app, from closing.
  window.on('close', () => asking.abort())
  window.on('unresponsive', () => {
    asking.abort()
    if (isQuitting()) return
    asking = new AbortController()
    offerReload(window, 'The page of Pulseward does not answer.', 'Wait', asking.signal, () => {
      reason = 'hung'
      window.webContents.forcefullyCrashRenderer()
    })
  })
}

function offerReload(
  window: BrowserWindow,
  message: string,
  otherwise: string,
  signal: AbortSignal | null,
  reload: () => void,
): void {
  const options = {
    type: 'warning' as const,
    message,
    detail: 'Heartbeats keep running; only the window is affected.',
    buttons: ['Reload', otherwise],
    defaultId: 0,
    cancelId: 1,
    ...(signal !== null && { signal }),
  }
  dialog.showMessageBox(window, options).then(
    ({ response }) => {
      if (response === 0 && signal?.aborted !== true && !window.isDestroyed()) reload()
    },
    // The window was closed.
    () => undefined,
  )
}

async function beginAnew(window: BrowserWindow, why: NewPageReason): Promise<void> {
  if (window.isDestroyed()) return
  const url = new URL(window.webContents.getURL())
  url.searchParams.set(NEW_PAGE, why)
  // Electron logs a failure, and the page reconnects to its host itself.
  await window.webContents.loadURL(url.href).catch(() => undefined)
}
