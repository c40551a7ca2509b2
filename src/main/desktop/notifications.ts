import { BrowserWindow, Notification as DesktopNotification } from 'electron'
import type { PermissionAnswer } from '../../core/vocabulary/permission.ts'
import type { Notifier } from '../ports/notifier.ts'
import { notificationAddress } from './address.ts'
import { notificationText } from './notification-text.ts'

/** A notification that was not clicked is forgotten after this many newer ones. */
const MAX_KEPT = 50

/** In the order of the buttons for a permission request, which only macOS has. */
const ANSWERS = [
  ['allowed', 'Allow once'],
  ['denied', 'Deny'],
] as const

export interface NotificationActions {
  readonly show: (address: string) => void
  readonly answer: (permissionId: string, answer: PermissionAnswer) => void
}

/**
 * Shows notifications on the desktop, unless the operator is looking at the app, whose page shows them itself. A click opens the screen
 * that a notification is about, and a permission request can be answered there. Does nothing if the desktop has no notifications.
 */
export function createDesktopNotifier({ show, answer }: NotificationActions): Notifier {
  // Without a reference, a notification and its click handler may be garbage-collected.
  const kept = new Set<DesktopNotification>()
  return {
    notify: ({ about, workspaceId, taskId, permissionId, title, body }) => {
      if (!DesktopNotification.isSupported() || isInFront()) return
      const buttons = permissionId === undefined ? [] : ANSWERS
      const notification = new DesktopNotification({
        title: notificationText(title, process.platform),
        body: notificationText(body, process.platform),
        actions: buttons.map(([, text]) => ({ type: 'button', text })),
      })
      notification.on('action', (_event, index) => {
        const given = ANSWERS[index]?.[0]
        if (permissionId !== undefined && given !== undefined) answer(permissionId, given)
      })
      const address = notificationAddress(about, workspaceId, taskId)
      notification.on('click', () => {
        kept.delete(notification)
        show(address)
      })
      kept.add(notification)
      for (const oldest of kept) {
        if (kept.size <= MAX_KEPT) break
        kept.delete(oldest)
      }
      notification.show()
    },
  }
}

/** Returns whether a window of the app has the focus; its page then shows what concerns other screens at the bottom. */
function isInFront(): boolean {
  const window = BrowserWindow.getFocusedWindow()
  return window?.isVisible() === true && !window.isMinimized()
}
