import { expect, test } from 'vitest'
import { clockDuration, secondsOf, takenDuration } from './clock-duration.ts'

test.each([
  [0, '0:00'],
  [41_900, '0:41'],
  [180_000, '3:00'],
  [3_723_000, '1:02:03'],
  [-5, '0:00'],
])('%d ms are shown as %s', (ms, shown) => {
  expect(clockDuration(ms)).toBe(shown)
})

test('what was over within a second is said in words', () => {
  expect(takenDuration(999)).toBe('under 1 s')
  expect(takenDuration(1000)).toBe('0:01')
})

test.each([
  ['20:15', 1215],
  ['1:02:03', 3723],
  ['90:00', 5400],
  ['45 s', 45],
  [' 5 min ', 300],
  ['2h', 7200],
  ['0:00', 0],
])('%s is %d seconds', (text, seconds) => {
  expect(secondsOf(text)).toBe(seconds)
})

test.each(['', '20', '20:75', '1:75:00', '-1:00', 'soon', '1:2:3:4'])('%j is no duration', (text) => {
  expect(secondsOf(text)).toBeNull()
})
