import { expect, test } from 'vitest'
import { durationWords, secondsOf, takenDuration } from './duration-words.ts'

test.each([
  [0, '0 s'],
  [41_900, '41 s'],
  [60_000, '1 min'],
  [180_000, '3 min'],
  [1_215_000, '20 min 15 s'],
  [3_600_000, '1 h'],
  [3_723_000, '1 h 2 min 3 s'],
  [-5, '0 s'],
])('shows %d ms as %s', (ms, shown) => {
  expect(durationWords(ms)).toBe(shown)
})

test('returns no duration that could be taken for a time of day', () => {
  for (let ms = 0; ms < 90_000_000; ms += 17_777) expect(durationWords(ms)).not.toMatch(/\d:\d/u)
})

test('describes a duration under a second in words', () => {
  expect(takenDuration(999)).toBe('under 1 s')
  expect(takenDuration(1000)).toBe('1 s')
})

test.each([
  ['20:15', 1215],
  ['1:02:03', 3723],
  ['90:00', 5400],
  ['45 s', 45],
  ['90s', 90],
  ['20m', 1200],
  ['1h', 3600],
  [' 5 min ', 300],
  ['2h', 7200],
  ['20m15s', 1215],
  ['20 min 15 s', 1215],
  ['1 h 2 min', 3720],
  ['1H30M', 5400],
  ['2 minutes', 120],
  ['0:00', 0],
])('parses %s as %d seconds', (text, seconds) => {
  expect(secondsOf(text)).toBe(seconds)
})

test.each(['', '20', '20:75', '1:75:00', '-1:00', 'soon', '1:2:3:4', '5s 1m', '1h 1h', '20 mine'])(
  'rejects %j as a duration',
  (text) => {
    expect(secondsOf(text)).toBeNull()
  },
)

test('parses what it shows', () => {
  for (const seconds of [1, 59, 60, 61, 600, 3599, 3600, 3723, 86_400]) {
    expect(secondsOf(durationWords(seconds * 1000))).toBe(seconds)
  }
})
