import { app, type Session } from 'electron'

/**
 * Refuses for every page what none of ours needs: navigation away from its own origin, which `pageUrl` names, new windows, webviews. Must
 * be called before the first window is created.
 */
export function hardenWebContents(pageUrl: () => string): void {
  // Compare whole origins: another port or host may start with the same characters.
  const isOwnUrl = (url: string): boolean =>
    URL.canParse(url) && new URL(url).origin === new URL(pageUrl()).origin
  app.on('web-contents-created', (_event, contents) => {
    contents.on('will-navigate', (event, url) => {
      if (!isOwnUrl(url)) event.preventDefault()
    })
    // Frames in a page are refused too: none of our pages has one.
    contents.on('will-frame-navigate', (event) => {
      if (!event.isMainFrame || !isOwnUrl(event.url)) event.preventDefault()
    })
    contents.on('will-redirect', (event, url) => {
      if (!isOwnUrl(url)) event.preventDefault()
    })
    contents.on('will-attach-webview', (event) => event.preventDefault())
    contents.setWindowOpenHandler(() => ({ action: 'deny' }))
  })
}

/**
 * Refuses every permission that a page could ask for (camera, notifications, clipboard reading and the rest), except one: our own
 * page may write plain text to the clipboard when the operator presses Copy.
 */
export function refusePermissions(session: Session, pageUrl: () => string): void {
  const isAllowed = (permission: string, origin: string | undefined): boolean =>
    permission === 'clipboard-sanitized-write' &&
    origin !== undefined &&
    URL.canParse(origin) &&
    new URL(origin).origin === new URL(pageUrl()).origin
  session.setPermissionRequestHandler((_contents, permission, callback, { requestingUrl }) =>
    callback(isAllowed(permission, requestingUrl)),
  )
  session.setPermissionCheckHandler((_contents, permission, origin) => isAllowed(permission, origin))
  session.setDevicePermissionHandler(() => false)
}
