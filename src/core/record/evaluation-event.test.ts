import { expect, it } from 'vitest'
import { evaluationAttributes } from './evaluation-event.ts'
import { attemptFinished } from './testing/sample-events.ts'

function evaluationOf(change: Parameters<typeof attemptFinished>[0]) {
  const event = attemptFinished(change)
  if (event.type !== 'attempt-finished') throw new Error('no attempt')
  return evaluationAttributes(event.result)
}

const HELD = {
  id: 'a1',
  because: 'check',
  files: [],
  inPlace: { verdict: 'verified', reasons: [] },
  cleanRoom: { verdict: null, reasons: [] },
  with: null,
} as const

it.each([
  ['verified', { verdict: 'verified', points: 10 }, 'verified', 10, 'Verified'],
  [
    'a contradiction',
    { verdict: 'not_verified', points: -45, groundTruthContradiction: true, fault: 'agent' },
    'not_verified',
    -45,
    'Not verified; a claim contradicts what was measured; fault: agent',
  ],
  ['held', { verdict: 'unclear', points: 0, held: { ...HELD, files: [] } }, 'held', 0, 'Held for review'],
] as const)('names the result of %s as its label, score and words', (_name, change, label, value, words) => {
  expect(evaluationOf({ ...change, reasons: ['what an agent wrote'] } as never)).toEqual({
    'gen_ai.evaluation.name': 'pulseward.verdict',
    'gen_ai.evaluation.score.label': label,
    'gen_ai.evaluation.score.value': value,
    'gen_ai.evaluation.explanation': words,
    'pulseward.attempt.id': 'a1',
  })
})

it('reports nothing about an attempt without a verdict', () => {
  expect(evaluationOf({ verdict: null })).toBeNull()
})
