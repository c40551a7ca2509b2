import { describe, expect, it } from 'vitest'
import type { SessionView } from './session.ts'
import { turnWords } from './session-words.ts'

const TURN: SessionView['turns'][number] = {
  ...{ seq: 1, at: '', mode: 'gate', tree: null, verdict: null, contradiction: false, blocked: false },
  ...{ wouldBlock: false, deferred: false, stopped: false, reasons: [] },
}

describe('the words for a turn', () => {
  it.each([
    ['that had nothing to judge', {}, 'Nothing to judge'],
    ['that was not judged', { deferred: true }, 'Not judged'],
    ['whose verdict came too late', { deferred: true, verdict: 'verified' }, 'Verified'],
    [
      'that was refuted too late',
      { deferred: true, verdict: 'not_verified', wouldBlock: true },
      'Not verified: would have been sent back',
    ],
    ['that was sent back', { verdict: 'not_verified', blocked: true }, 'Not verified: sent back'],
  ] as const)('%s', (_title, change, expected) => {
    expect(turnWords({ ...TURN, ...change })).toBe(expected)
  })
})
