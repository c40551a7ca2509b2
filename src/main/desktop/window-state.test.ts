import { expect, test } from 'vitest'
import { openingBounds, parseWindowState } from './window-state.ts'

const DEFAULT = { bounds: null, maximized: false, theme: 'system', zoom: 100, notifiedOfTray: false }
const display = { workArea: { x: 0, y: 24, width: 1920, height: 1056 } }
const second = { workArea: { x: 1920, y: 0, width: 1280, height: 1024 } }

test('reads back what was saved', () => {
  const state = {
    bounds: { x: -10, y: 20, width: 900, height: 700 },
    maximized: true,
    theme: 'dark',
    zoom: 125,
    notifiedOfTray: true,
  }
  expect(parseWindowState(JSON.stringify(state))).toEqual(state)
})

test.each(['', '{', 'null', '[]', '{"bounds": 3, "maximized": "yes", "theme": "pink", "zoom": 9000}'])(
  '%s counts as nothing saved',
  (text) => {
    expect(parseWindowState(text)).toEqual(DEFAULT)
  },
)

test.each([
  { x: 0, y: 0, width: 10, height: 700 },
  { x: 0.5, y: 0, width: 900, height: 700 },
  { x: 0, y: 0, width: 1e9, height: 700 },
  { x: 0, y: 0, width: 900 },
])('ignores impossible bounds, and keeps the rest', (bounds) => {
  expect(parseWindowState(JSON.stringify({ bounds, zoom: 80 }))).toEqual({ ...DEFAULT, zoom: 80 })
})

test('opens a window where it was if a display still shows it, including its title bar', () => {
  const there = { x: 2000, y: 100, width: 900, height: 700 }
  expect(openingBounds(there, [display, second])).toEqual(there)
  expect(openingBounds(there, [display])).toEqual({ width: 900, height: 700 })
  expect(openingBounds({ ...there, x: 1850 }, [display])).toEqual({ width: 900, height: 700 })
  expect(openingBounds({ x: 100, y: -400, width: 900, height: 700 }, [display])).toEqual({
    width: 900,
    height: 700,
  })
  expect(openingBounds(null, [display])).toEqual({ width: 1180, height: 800 })
})
