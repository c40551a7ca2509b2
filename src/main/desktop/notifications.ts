import { Notification as DesktopNotification } from 'electron'
import type { Notifier } from '../ports/notifier.ts'
import { notificationAddress } from './address.ts'

/** A notification that nobody clicked is forgotten after as many newer ones. */
const MAX_KEPT = 50

/** Shows notifications through the desktop; a click opens the screen that one is about. Silent where the desktop has none. */
export function createDesktopNotifier(show: (address: string) => void): Notifier {
  // One that nobody holds may be collected, and its click with it.
  const kept = new Set<DesktopNotification>()
  return {
    notify: ({ about, workspaceId, taskId, title, body }) => {
      if (!DesktopNotification.isSupported()) return
      const notification = new DesktopNotification({ title, body })
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
