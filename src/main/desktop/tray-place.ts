import { execFile } from 'node:child_process'

/** Longer than a working bus takes to answer. */
const ASKED_MS = 2_000

/** Values of `XDG_CURRENT_DESKTOP` for desktops that show an icon only through a StatusNotifierWatcher, which an extension provides. */
const NEEDS_WATCHER = /(?:^|:)(?:GNOME|pop)(?:$|:)/iu

/**
 * Returns whether this desktop has a place for the shield; `true` if that can't be determined. GNOME has none by default; with the
 * AppIndicator extension, the session's bus has `org.kde.StatusNotifierWatcher`.
 */
export function hasTrayPlace(
  platform: string = process.platform,
  environment: NodeJS.ProcessEnv = process.env,
  ask: () => Promise<string> = askBus,
): Promise<boolean> {
  if (platform !== 'linux' || !NEEDS_WATCHER.test(environment.XDG_CURRENT_DESKTOP ?? ''))
    return Promise.resolve(true)
  return ask().then(
    (answer) => !/\bboolean\s+false\b/u.test(answer),
    () => true,
  )
}

function askBus(): Promise<string> {
  const args = [
    '--session',
    '--print-reply',
    '--dest=org.freedesktop.DBus',
    '/org/freedesktop/DBus',
    'org.freedesktop.DBus.NameHasOwner',
    'string:org.kde.StatusNotifierWatcher',
  ]
  return new Promise((resolve, reject) => {
    execFile('dbus-send', args, { timeout: ASKED_MS }, (error, stdout) =>
      error === null ? resolve(stdout) : reject(error),
    )
  })
}
