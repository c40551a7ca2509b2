import { BrowserWindow, dialog, Notification } from 'electron'
import type { HostView } from './follow-host.ts'
import { hasTrayPlace } from './tray-place.ts'

/**
 * Quits, after a question if an agent is running. A second request while the question is open means yes. No other way to end the app (a
 * signal, the end of the session) asks.
 */
export function askBeforeQuitting(view: () => HostView, quit: () => void): () => void {
  let isAsking = false
  return () => {
    const running = view().workspaces.filter(({ running: heartbeat }) => heartbeat !== null)
    const [first] = running
    if (isAsking || first === undefined) return quit()
    isAsking = true
    const options = {
      type: 'question' as const,
      message:
        running.length === 1
          ? `An agent is running in ${first.name}.`
          : `Agents are running in ${running.length} workspaces.`,
      detail:
        'Quitting stops what runs now; nothing is scored, and the tasks run again after the next start. Until then there are no heartbeats. To let them continue, close only the window.',
      buttons: ['Quit', 'Keep running'],
      defaultId: 1,
      cancelId: 1,
    }
    const window = BrowserWindow.getFocusedWindow()
    const asked = window === null ? dialog.showMessageBox(options) : dialog.showMessageBox(window, options)
    void asked
      .then(({ response }) => response === 0 && quit())
      // The window was closed without an answer.
      .catch(() => undefined)
      .finally(() => {
        isAsking = false
      })
  }
}

/** Says where to find the app after its window was closed. Never rejects. */
export async function sayWhereItWent(): Promise<void> {
  if (!Notification.isSupported()) return
  new Notification((await hasTrayPlace()) ? IN_THE_TRAY : OUT_OF_SIGHT).show()
}

const IN_THE_TRAY = {
  title: 'Pulseward is still running',
  body: 'Click the shield to reopen it; use its menu to quit.',
}

const OUT_OF_SIGHT = {
  title: 'Pulseward is still running, without a window',
  body: 'This desktop shows no tray; on GNOME, the extension AppIndicator adds one. Start Pulseward again to open its window, and quit it by File, Quit.',
}
