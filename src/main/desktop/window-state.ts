import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Rectangle } from 'electron'
import { isObject, parseJson } from '../../core/text/json.ts'

const DEFAULT_SIZE = { width: 1180, height: 800 }
export const MIN_SIZE = { width: 380, height: 480 }
const MAX_PIXELS = 50_000
/** How many pixels of a window must be on a display so that it can be seen and dragged. */
const MIN_VISIBLE = 96

/** The window's last position and look, known before the host has read its settings, so that nothing jumps at the start. */
export interface WindowState {
  readonly bounds: Rectangle | null
  readonly maximized: boolean
  readonly theme: 'system' | 'light' | 'dark'
  /** Percent. */
  readonly zoom: number
  /** True once the operator was told that the app stays in the tray. */
  readonly notifiedOfTray: boolean
}

export interface WindowStateStore {
  readonly read: () => WindowState
  readonly write: (changes: Partial<WindowState>) => void
  /** Resolves when everything was written to disk, or could not be. */
  readonly written: () => Promise<void>
}

/**
 * Keeps the state in `window.json` beside the browser's own data, using electron-store. Reads it directly, so that the first window does
 * not wait for the store to load, which happens at the first change.
 */
export function openWindowState(directory: string): WindowStateStore {
  let state = parseWindowState(readText(join(directory, 'window.json')))
  let store: Promise<{ set(changes: Partial<WindowState>): void }> | null = null
  let written = Promise.resolve()
  return {
    read: () => state,
    write: (changes) => {
      const next = { ...state, ...changes }
      // At each start the host reports settings that are known already.
      if (isDeepStrictEqual(next, state)) return
      state = next
      store ??= import('electron-store').then(
        ({ default: Store }) => new Store({ name: 'window', cwd: directory, clearInvalidConfig: true }),
      )
      // A failure to write doesn't matter much: the window opens as before.
      written = store.then((opened) => opened.set(changes)).catch(() => undefined)
    },
    written: () => written,
  }
}

/** Parses the state; each part that cannot be read counts as never saved. */
export function parseWindowState(text: string): WindowState {
  const value = parseJson(text)
  const { bounds, maximized, theme, zoom, notifiedOfTray } = isObject(value) ? value : {}
  return {
    bounds: isBounds(bounds) ? bounds : null,
    maximized: maximized === true,
    theme: theme === 'light' || theme === 'dark' ? theme : 'system',
    zoom: typeof zoom === 'number' && zoom >= 50 && zoom <= 300 ? zoom : 100,
    notifiedOfTray: notifiedOfTray === true,
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function isBounds(value: unknown): value is Rectangle {
  if (typeof value !== 'object' || value === null) return false
  const { x, y, width, height } = value as Record<string, unknown>
  return (
    [x, y, width, height].every((each) => Number.isInteger(each) && Math.abs(Number(each)) <= MAX_PIXELS) &&
    Number(width) >= MIN_SIZE.width &&
    Number(height) >= MIN_SIZE.height
  )
}

/** Returns the bounds to open with: the saved ones if a display still shows them, otherwise the default size, centered. */
export function openingBounds(
  remembered: Rectangle | null,
  displays: readonly { readonly workArea: Rectangle }[],
): Partial<Rectangle> & { readonly width: number; readonly height: number } {
  if (remembered === null) return DEFAULT_SIZE
  const isSeen = displays.some(({ workArea }) => {
    const overlap = overlapOf(remembered, workArea)
    // The title bar at the top must be visible, not just some corner.
    return overlap.width >= MIN_VISIBLE && overlap.height >= MIN_VISIBLE && remembered.y >= workArea.y - 8
  })
  return isSeen ? remembered : { width: remembered.width, height: remembered.height }
}

function overlapOf(a: Rectangle, b: Rectangle): { width: number; height: number } {
  return {
    width: Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x),
    height: Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y),
  }
}
