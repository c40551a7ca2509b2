import { expect, test } from 'vitest'
import { cursorOf, cursorSchema, newestFirst, placeOf } from './cursor.ts'

test.each([
  { atMs: 1_772_000_000_000, row: 7 },
  { atMs: 0, row: 1 },
  { atMs: -1, row: 12 },
])('encodes a position as one word and decodes it: %o', (place) => {
  expect(placeOf(cursorSchema.parse(cursorOf(place)))).toEqual(place)
})

test.each(['', '5', '-5', '5-', '5--6', 'a-1', '1e3-1', '1-1 '])('rejects %j', (word) => {
  expect(cursorSchema.safeParse(word).success).toBe(false)
})

test('sorts newest first, and within one moment the later arrival first', () => {
  const places = [
    { atMs: 1, row: 9 },
    { atMs: 2, row: 1 },
    { atMs: -3, row: 4 },
    { atMs: 1, row: 10 },
  ]
  expect(places.toSorted(newestFirst).map(cursorOf)).toEqual(['2-1', '1-10', '1-9', '-3-4'])
})
