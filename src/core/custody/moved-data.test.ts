import { expect, test } from 'vitest'
import { movedData } from './moved-data.ts'

const SNAP = { from: 'src/__snapshots__/a.test.js.snap', to: 'src/__snapshots__/b.test.js.snap' }
const NONE = { added: [], deleted: [], renamed: [] }

test.each([
  ['a fixture', { from: 'test/fixtures/a.json', to: 'test/data/a.json' }, true],
  ['a fixture out of the tests', { from: 'test/fixtures/a.json', to: 'old/a.json' }, false],
  ['configuration', { from: 'test/tsconfig.json', to: 'test/old/tsconfig.json' }, false],
  ['code', { from: 'tests/conftest.py', to: 'tests/unit/conftest.py' }, false],
  ['a snapshot without its test', SNAP, false],
])('tells whether data was only moved: %s', (_title, one, expected) => {
  expect(movedData({ ...NONE, renamed: [one] }).has(one.from)).toBe(expected)
})

test('treats a snapshot that moved along with its test as moved', () => {
  const work = { added: ['src/b.test.js'], deleted: ['src/a.test.js'], renamed: [SNAP] }
  expect([...movedData(work)]).toEqual([SNAP.from])
})
