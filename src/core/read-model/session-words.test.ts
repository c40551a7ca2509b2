import { describe, expect, it } from 'vitest'
import type { SessionView } from './session.ts'
import { shadowInWords, turnWords } from './session-words.ts'

const TURN: SessionView['turns'][number] = {
  ...{ seq: 1, at: '', mode: 'gate', tree: null, verdict: null, contradiction: false, blocked: false },
  ...{ wouldBlock: false, deferred: false, stopped: false, reasons: [] },
}

describe('wording a turn', () => {
  it.each([
    ['with nothing to judge', {}, 'Nothing to judge'],
    ['that was not judged', { deferred: true }, 'Not judged'],
    ['with a late verdict', { deferred: true, verdict: 'verified' }, 'Verified'],
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

describe('wording the counts of shadow mode', () => {
  const turns = (count: number, more: object) =>
    Array.from({ length: count }, () => ({
      mode: 'shadow',
      verdict: 'verified',
      wouldBlock: false,
      ...more,
    })) as Parameters<typeof shadowInWords>[0][number]['turns'][number][]

  it('covers all sessions, without turns in mode gate or without a verdict', () => {
    const first = [
      ...turns(30, {}),
      ...turns(2, { verdict: 'not_verified', wouldBlock: true }),
      ...turns(4, { mode: 'gate', verdict: 'not_verified', wouldBlock: true }),
    ]
    const second = [
      ...turns(8, {}),
      ...turns(1, { verdict: 'not_verified', wouldBlock: true }),
      ...turns(3, { verdict: null }),
    ]
    expect(shadowInWords([{ turns: first }, { turns: second }])).toBe('would have blocked 3 of 41 turns')
  })

  it('says nothing if no turn was judged in shadow mode', () => {
    expect(
      shadowInWords([{ turns: turns(3, { mode: 'gate' }) }, { turns: turns(2, { verdict: null }) }]),
    ).toBeNull()
  })
})
