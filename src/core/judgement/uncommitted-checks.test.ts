import { expect, test } from 'vitest'
import type { WorkCase } from './case.ts'
import type { Setting } from './questions.ts'
import { type AnswerTable, gate, holding, play, WITH_GATE, work } from './testing/play.ts'

/** Which runs of the gate fail: with all of the work uncommitted, and with other files uncommitted. */
function judged(fails: readonly ('work' | 'others')[], change: Partial<WorkCase> = { sees: 'changed' }) {
  const isFailing = ({ earlier }: Setting): boolean =>
    earlier?.kind === 'uncommitted' && fails.includes(earlier.files)
  const table: AnswerTable = {
    measurement: holding(true),
    gates: ({ setting }) => [gate(isFailing(setting) ? 'failed' : 'passed')],
    room: { kind: 'ready' },
  }
  return play(work('exists("src/cart.mjs")', { policy: WITH_GATE, ...change }), table).judged
}

test('work that a check fails once all of it counts as uncommitted is held, and the files are named', () => {
  expect(judged(['work'])).toMatchObject({
    verdict: 'unclear',
    reasons: expect.arrayContaining([
      'the check looks only at what is not committed, and fails if all of the work is not yet committed',
    ]),
    held: { because: 'check', files: ['src/cart.mjs'] },
  })
})

test('work that passes so too is verified, and so is work whose check only asks for a clean tree', () => {
  for (const fails of [[], ['work', 'others']] as const)
    expect(judged(fails)).toMatchObject({ verdict: 'verified', held: null })
})

test('a check that does not depend on what is committed is not run again', () => {
  expect(judged(['work'], {})).toMatchObject({ verdict: 'verified', held: null })
})

test('what the work committed is counted from the commit before it', () => {
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
  })
  expect(seen.at(-1)?.earlier).toEqual({
    ...{ kind: 'uncommitted', since: 'a1', sees: 'staged', paths: ['src/cart.mjs'], files: 'work' },
  })
})
