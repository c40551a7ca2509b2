import { expect, it } from 'vitest'
import { shownDifference, visibleText } from './visible-text.ts'

it.each([
  ['npm test\n\t--all', 'npm test\n\t--all'],
  ['Füge 日本 hinzu', 'Füge 日本 hinzu'],
  ['rm \u202e-rf', 'rm \\u{202e}-rf'],
  ['ls\u200b -l', 'ls\\u{200b} -l'],
  ['a\u0007\r\nb', 'a\\u{7}\\u{d}\nb'],
  ['x\u2028y\u00ad\u2066', 'x\\u{2028}y\\u{ad}\\u{2066}'],
  ['tag \u{e0041}', 'tag \\u{e0041}'],
])('shows %j as %j', (text, shown) => {
  expect(visibleText(text)).toBe(shown)
})

it('escapes a configuration diff except for its line ends, and leaves a contract diff unchanged', () => {
  const difference = '-a\r\n+b\u202ec\r\n'
  expect(shownDifference('pulseward.toml', difference)).toBe('-a\n+b\\u{202e}c\n')
  expect(shownDifference('HEARTBEAT.md', difference)).toBe(difference)
})
