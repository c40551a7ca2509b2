import { describe, expect, it } from 'vitest'
import { DEFAULT_SCORING } from '../configuration/scoring.ts'
import type { SessionTurn } from '../record/session-record.ts'
import type { Verdict } from '../vocabulary/verdict.ts'
import { turnPoints } from './turn-points.ts'

const turn = (tree: string, verdict: Verdict | null = 'verified'): SessionTurn => ({
  ...{ seq: 1, at: '', prompt: '1', mode: 'shadow', verdict, contradiction: false, blocked: false },
  ...{ wouldBlock: false, deferred: false, stopped: false, tree, reasons: [] },
})
const { verifiedOptional, notVerified } = DEFAULT_SCORING

describe('the points of a turn with tree B', () => {
  it.each<readonly [string, Verdict | null, readonly SessionTurn[], string, number]>([
    ['that is verified', 'verified', [], 'A', verifiedOptional],
    ['that is verified again', 'verified', [turn('B')], 'A', 0],
    ['that only undoes what followed its start', 'verified', [turn('C')], 'B', 0],
    ['that undoes what followed another turn', 'verified', [turn('B'), turn('C')], 'A', 0],
    ['that was not judged before', 'verified', [turn('B', null)], 'A', verifiedOptional],
    ['that is not verified', 'not_verified', [], 'A', notVerified],
    ['that lies about the tree it started from', 'not_verified', [], 'B', notVerified],
    ['that is not verified again', 'not_verified', [turn('B', 'not_verified')], 'A', 0],
    ['with nothing measured', null, [], 'A', 0],
  ])('%s', (_title, verdict, turns, start, points) => {
    const sessions = [{ tree: start, turns }]
    expect(
      turnPoints({ verdict, contradiction: false }, DEFAULT_SCORING, {
        tree: 'B',
        turns,
        isBlank: false,
        sessions,
      }),
    ).toBe(points)
  })

  it('are paid in one session only', () => {
    const sessions = [
      { tree: 'A', turns: [] },
      { tree: 'A', turns: [turn('B')] },
    ]
    const judged = { verdict: 'verified', contradiction: false } as const
    expect(turnPoints(judged, DEFAULT_SCORING, { tree: 'B', turns: [], isBlank: false, sessions })).toBe(0)
  })

  it('are none for white space alone, but the penalty remains', () => {
    const scored = { tree: 'B', turns: [], isBlank: true, sessions: [{ tree: 'A', turns: [] }] }
    const points = (verdict: Verdict) =>
      turnPoints({ verdict, contradiction: false }, DEFAULT_SCORING, scored)
    expect(points('verified')).toBe(0)
    expect(points('not_verified')).toBe(notVerified)
  })
})
