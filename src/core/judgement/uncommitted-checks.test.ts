import { expect, test } from 'vitest'
import type { WorkCase } from './case.ts'
import type { Setting } from './questions.ts'
import { type AnswerTable, gate, holding, play, WITH_GATE, work } from './testing/play.ts'
import { alike } from './uncommitted-checks.ts'

const UNCHANGED = ['README.md', 'src/other.mjs']

/** Which runs of the gate fail: with all of the work uncommitted, and with unchanged files like it. */
function judged(fails: readonly ('content' | 'mode')[], change: Partial<WorkCase> = { sees: 'changed' }) {
  const isFailing = ({ earlier }: Setting): boolean =>
    earlier?.kind === 'uncommitted' && fails.includes(earlier.by)
  const table: AnswerTable = {
    measurement: holding(true),
    gates: ({ setting }) => [gate(isFailing(setting) ? 'failed' : 'passed')],
    room: { kind: 'ready' },
    unchanged: UNCHANGED,
  }
  return play(work('exists("src/cart.mjs")', { policy: WITH_GATE, ...change }), table).judged
}

test('holds work, naming its files, if a check fails once all of it counts as uncommitted', () => {
  expect(judged(['content'])).toMatchObject({
    verdict: 'unclear',
    reasons: expect.arrayContaining([
      'the check looks only at uncommitted changes, and fails if all the work is uncommitted',
    ]),
    held: { because: 'check', files: ['src/cart.mjs'] },
  })
})

test('verifies work that still passes then, and work whose check only asks for a clean tree', () => {
  for (const fails of [[], ['content', 'mode']] as const)
    expect(judged(fails)).toMatchObject({ verdict: 'verified', held: null })
})

test('doesn’t rerun a check that does not depend on what is committed', () => {
  expect(judged(['content'], {})).toMatchObject({ verdict: 'verified', held: null })
})

test('counts what the work committed from the commit before it', () => {
  const moved = { from: 'a1', to: 'b2' }
  const subject = work('exists("src/cart.mjs")', { policy: WITH_GATE, sees: 'staged' })
  const seen: Setting[] = []
  play({ ...subject, difference: { ...subject.difference, headMoved: moved } } as WorkCase, {
    measurement: holding(true),
    gates: ({ setting }) => {
      seen.push(setting)
      return [gate('passed')]
    },
    room: { kind: 'ready' },
    unchanged: UNCHANGED,
  })
  expect(seen.at(-1)?.earlier).toEqual({
    ...{ kind: 'uncommitted', since: 'a1', sees: 'staged', paths: ['src/cart.mjs'], by: 'content' },
  })
})

test('tries nothing without similar unchanged files, because a check may fail for any file of that kind', () => {
  const table: AnswerTable = {
    measurement: holding(true),
    gates: ({ setting }) => [gate(setting.earlier === null ? 'passed' : 'failed')],
    unchanged: ['README.md', 'lib/other.mjs'],
  }
  const subject = work('exists("src/cart.mjs")', { policy: WITH_GATE, sees: 'changed' })
  expect(play(subject, table).judged).toMatchObject({ verdict: 'verified', held: null })
})

test.each([
  ['beside it', ['src/a.js'], ['src/b.js', 'src/c.js'], ['src/b.js']],
  ['below its folder', ['src/a.js'], ['src/in/b.js'], ['src/in/b.js']],
  ['in the nearest folder above it', ['src/in/a.js'], ['src/b.js', 'src/other/c.js'], ['src/b.js']],
  ['anywhere, of one at the top', ['a.js'], ['lib/b.js'], ['lib/b.js']],
  [
    'for each kind another one',
    ['src/a.js', 'src/in/a.js'],
    ['src/b.js', 'src/c.js'],
    ['src/b.js', 'src/c.js'],
  ],
  ['never one at the top', ['src/a.js'], ['b.js', 'lib/b.js'], null],
  ['never one of another kind', ['src/a.md'], ['src/b.js'], null],
  ['never one that the work changed', ['src/a.js', 'src/b.js'], ['src/b.js'], null],
  ['never one without an ending', ['src/a'], ['src/b'], null],
])('treats a file as similar to a path %s', (_where, changed, unchanged, others) => {
  expect(alike(changed, unchanged)).toEqual({ paths: others === null ? [] : changed, others: others ?? [] })
})

test('omits paths without a similar file, and needs only a few files', () => {
  expect(alike(['src/a.js', 'src/text.md'], ['src/b.js'])).toEqual({
    paths: ['src/a.js'],
    others: ['src/b.js'],
  })
  const many = Array.from({ length: 100 }, (_, at) => `src/${at}`)
  const { paths, others } = alike(
    many.map((folder) => `${folder}/a.js`),
    many.map((folder) => `${folder}/b.js`),
  )
  expect([paths.length, others.length]).toEqual([100, 20])
})
