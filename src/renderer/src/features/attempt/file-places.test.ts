import { expect, it } from 'vitest'
import { filePlaces } from './file-places.ts'

const placesIn = (text: string) => filePlaces(text).map(({ path, line }) => `${path} ${line}`)

it.each([
  ['src/main/host.ts:12:5 - error TS2304', ['src/main/host.ts 12']],
  ['src/main/host.ts(12,5): error', ['src/main/host.ts 12']],
  ['  at run (/home/me/work/a.js:3:1)', ['/home/me/work/a.js 3']],
  ['I wrote report.md and ./out/chart.svg.', ['report.md 1', './out/chart.svg 1']],
  ['Edited `lib/x.py`, line 3', ['lib/x.py 1']],
  ['../outside/a.ts', ['../outside/a.ts 1']],
])('finds the files of %s', (text, places) => {
  expect(placesIn(text)).toEqual(places)
})

it.each([
  'see https://example.com/docs/a.html',
  'version 1.2.3 of v2.0',
  'done. Next task',
  'mail me@example.com',
  '3/4 of it',
])('finds no place in %s', (text) => {
  expect(placesIn(text)).toEqual([])
})

it('finds the position of a name in the line', () => {
  const text = 'wrote a.md:7 now'
  const [place] = filePlaces(text)
  expect(text.slice(place?.from, place?.to)).toBe('a.md:7')
})

it('skips a line that is data', () => {
  expect(filePlaces('a.md '.repeat(1000))).toEqual([])
})
