import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const SOURCES = join(import.meta.dirname, '../src')
/** A union of words, such as `'held' | 'paid' | 'refused'`. */
const UNION = /(?:'[\w-]+'\s*\|\s*){2,}'[\w-]+'/g
/** A tuple of words, as a constant or in an enum. */
const TUPLE = /\[\s*((?:'[\w-]+'\s*,\s*){2,}'[\w-]+')\s*,?\s*\](?= as const|\))/g
/** Types made by picking field names, or values of a union declared elsewhere. */
const PICKED = /\b(?:Pick|Omit|Extract|Exclude)<[^<>=;]*,\s*\|?\s*$/
/** The operating system's words. */
const SIGNAL = /^SIG[A-Z]+$/

async function sources(): Promise<string[]> {
  const names = await readdir(SOURCES, { recursive: true })
  return names.filter((name) => /\.tsx?$/.test(name) && !/\.test\.|(?:^|\/)(?:testing|fixtures)\//.test(name))
}

/** Returns the sets of three or more words that a text declares. */
function declared(text: string): Set<string> {
  const unions = [...text.matchAll(UNION)].filter(({ index }) => !PICKED.test(text.slice(0, index)))
  const found = [...unions, ...text.matchAll(TUPLE)].map(([set]) =>
    [...set.matchAll(/'([\w-]+)'/g)].map(([, word = '']) => word),
  )
  return new Set(
    found.filter(([first = '']) => !SIGNAL.test(first)).map((words) => words.toSorted().join(' ')),
  )
}

test('each set of alternatives is declared in one file, so that copies cannot drift', async () => {
  const places = new Map<string, string[]>()
  for (const name of await sources()) {
    for (const words of declared(await readFile(join(SOURCES, name), 'utf8')))
      places.set(words, [...(places.get(words) ?? []), name])
  }
  expect(places.size).toBeGreaterThan(50)
  expect([...places].filter(([, names]) => names.length > 1)).toEqual([])
})

test.each([
  ["type A = 'one' | 'two' | 'three'", ['one three two']],
  ["z.enum(['one', 'two', 'three'])", ['one three two']],
  ["type B = Pick<A, 'one' | 'two' | 'three'>", []],
  ["const places = ['one', 'two']", []],
])('%s declares %o', (text, sets) => {
  expect([...declared(text)]).toEqual(sets)
})
