import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { seededIndexes } from '../testing/seeded-numbers.ts'
import { UnsavedKeeper } from './changes-of-attempt.ts'
import { type ContentStore, createContentStore } from './content-store.ts'

let root: string
let directory: string
let store: ContentStore

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'pulseward-keeper-'))
  directory = join(root, 'w')
  mkdirSync(directory)
  store = createContentStore(join(root, 'contents'))
})
afterEach(() => rmSync(root, { recursive: true }))

const SEEDS = [1, 2, 3, 4, 5, 6]

it.each(SEEDS)('keeps the same as a keeper without memory, round after round (seed %i)', async (seed) => {
  const random = seededIndexes(seed)
  const keeper = new UnsavedKeeper()
  const texts = new Map<string, string | null>()
  for (let round = 0; round < 30; round += 1) {
    for (let change = random(4); change > 0; change -= 1) {
      const path = `${String.fromCharCode(97 + random(8))}.txt`
      const kind = random(4)
      // Drop it from the list, delete it without committing, or write it.
      if (kind === 0) texts.delete(path)
      else if (kind === 1) texts.set(path, null)
      else texts.set(path, `text ${random(3)}`)
    }
    const files = [...texts]
      .map(([path, text]) => ({ path, state: text === null ? null : `file:${text}` }))
      .sort((one, other) => (one.path < other.path ? -1 : 1))
    for (const [path, text] of texts) if (text !== null) writeFileSync(join(directory, path), text)
    const byPath = (kept: ReadonlyMap<string, unknown>) => Object.fromEntries(kept)
    const fresh = await new UnsavedKeeper().keep(store, directory, files)
    expect(byPath(await keeper.keep(store, directory, files))).toEqual(byPath(fresh))
  }
})

it('forgets a file that is gone, even if the list is as long as before because it names another file twice', async () => {
  const keeper = new UnsavedKeeper()
  for (const path of ['a', 'b']) writeFileSync(join(directory, path), path)
  const named = (...paths: string[]) => paths.map((path) => ({ path, state: `file:${path}` }))
  await keeper.keep(store, directory, named('a', 'b'))
  expect([...(await keeper.keep(store, directory, named('a', 'a'))).keys()]).toEqual(['a'])
})
