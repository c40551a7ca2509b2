import { Notification as DesktopNotification } from 'electron'
import type { Notifier } from '../ports/notifier.ts'

/** Shows notifications through the desktop; a click brings up the window. */
export function createDesktopNotifier(onClick: () => void): Notifier {
  return {
    notify: ({ title, body }) => {
      if (!DesktopNotification.isSupported()) return
      const notification = new DesktopNotification({ title, body })
      notification.on('click', onClick)
      notification.show()
    },
  }
}
