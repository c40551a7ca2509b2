import type { Point, Rectangle } from 'electron'

/** Distance between the window and its anchor, and between the window and the edge of the display. */
const GAP = 8

/**
 * Returns whether a click on the shield opens the small window on this system. Wayland does not say where the shield or the pointer is, and
 * a window cannot choose its position; there the click opens the app's window.
 */
export function hasGlance(
  platform: string = process.platform,
  environment: NodeJS.ProcessEnv = process.env,
): boolean {
  return platform !== 'linux' || environment.XDG_SESSION_TYPE !== 'wayland'
}

/**
 * Returns what the window opens next to: the shield, or the pointer that clicked it if the system does not report the shield's bounds
 * (Linux).
 */
export function glanceAnchor(tray: Rectangle, pointer: Point): Rectangle {
  return tray.width > 0 && tray.height > 0 ? tray : { ...pointer, width: 1, height: 1 }
}

/**
 * Returns where a window of this size opens: centered below an anchor in the upper half of the display, or above one in the lower half. It
 * is always completely within the work area, and made smaller if necessary. All in DIP.
 */
export function glancePlace(
  size: { readonly width: number; readonly height: number },
  anchor: Rectangle,
  area: Rectangle,
): Rectangle {
  const width = Math.round(Math.min(size.width, area.width - 2 * GAP))
  const height = Math.round(Math.min(size.height, area.height - 2 * GAP))
  const isAbove = anchor.y + anchor.height / 2 < area.y + area.height / 2
  const x = anchor.x + anchor.width / 2 - width / 2
  const y = isAbove ? anchor.y + anchor.height + GAP : anchor.y - GAP - height
  return {
    x: within(x, area.x + GAP, area.x + area.width - GAP - width),
    y: within(y, area.y + GAP, area.y + area.height - GAP - height),
    width,
    height,
  }
}

function within(value: number, least: number, most: number): number {
  return Math.round(Math.max(least, Math.min(value, most)))
}
