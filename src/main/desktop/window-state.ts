import type { Rectangle } from 'electron'
import Store from 'electron-store'
import { z } from 'zod'

const DEFAULT_SIZE = { width: 1180, height: 800 }
/** As much of a window has to lie on a display that it can be seen and dragged. */
const MIN_VISIBLE = 96

const stateSchema = z.object({
  bounds: z
    .object({
      x: z.number().int(),
      y: z.number().int(),
      width: z.number().int().min(380).max(20_000),
      height: z.number().int().min(480).max(20_000),
    })
    .nullable()
    .catch(null),
  maximized: z.boolean().catch(false),
  theme: z.enum(['system', 'light', 'dark']).catch('system'),
  zoom: z.number().min(50).max(300).catch(100),
})

/** Where the window was, and how it looked: known before the host has read its settings, so that nothing jumps at the start. */
export type WindowState = z.infer<typeof stateSchema>

/** Kept in `window.json` beside the browser's own data. What cannot be read there is as if it had never been written. */
export function openWindowState(directory: string): {
  readonly read: () => WindowState
  readonly write: (changes: Partial<WindowState>) => void
} {
  const store = new Store({ name: 'window', cwd: directory, clearInvalidConfig: true })
  return {
    read: () => stateSchema.parse(store.store),
    write: (changes) => store.set(changes),
  }
}

/** The bounds to open with: those remembered where a display still shows them, else the default size in the middle. */
export function openingBounds(
  remembered: Rectangle | null,
  displays: readonly { readonly workArea: Rectangle }[],
): Partial<Rectangle> & { readonly width: number; readonly height: number } {
  if (remembered === null) return DEFAULT_SIZE
  const isSeen = displays.some(({ workArea }) => {
    const overlap = overlapOf(remembered, workArea)
    // The title bar is at the top: its part must be there, not only some corner.
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
