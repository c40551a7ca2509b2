import { describe, expect, test } from 'vitest'
import { findClaimInReplay, foldedPlace, type Replay, type ReplayEntry, replayRows } from './replay.ts'

const said = (atMs: number, text: string): ReplayEntry => ({ atMs, kind: 'said', text })
const file = (atMs: number, text: string): ReplayEntry => ({ atMs, kind: 'file', text })
const replayOf = (durationMs: number, ...entries: ReplayEntry[]): Replay => ({ durationMs, entries, left: 0 })

describe('replaying an attempt', () => {
  test('folds idle time before the first entry, between entries and after the last', () => {
    const replay = replayOf(100_000, said(20_000, 'one'), said(21_000, 'two'), said(60_000, 'three'))
    expect(replayRows(replay).map((row) => (row.kind === 'idle' ? row.ms : row.entry.text))).toEqual([
      20_000,
      'one',
      'two',
      39_000,
      'three',
      40_000,
    ])
  })

  test('draws an hour of silence no wider than fifteen seconds', () => {
    const at = foldedPlace(replayOf(3_630_000, said(15_000, 'one'), said(3_615_000, 'two')))
    expect([0, 15_000, 3_615_000, 3_630_000].map(at)).toEqual([0, 1 / 3, 2 / 3, 1])
  })

  test('places the entry of a run that took no time at the start', () => {
    expect(foldedPlace(replayOf(0, said(0, 'one')))(0)).toBe(0)
  })
})

describe('finding a claim in the replay', () => {
  const replay = replayOf(
    10_000,
    said(0, 'I will look for email_count.'),
    said(1, '{"claims": {"email_count": 3}, "files": ["notes/inbox.md"]}'),
    file(2, 'notes/inbox.md'),
    said(3, '"exit_signal": true'),
  )
  test('finds it where its value is, not where only its name is', () => {
    expect(findClaimInReplay(replay, { subject: 'email_count', claimed: '3' })).toEqual({
      said: [1],
      shown: [],
    })
    expect(findClaimInReplay(replay, { subject: 'email_count', claimed: '4' })).toEqual({
      said: [],
      shown: [],
    })
  })

  test('finds a claimed file together with that file’s change', () => {
    const claim = { subject: 'notes/inbox.md', claimed: 'written' }
    expect(findClaimInReplay(replay, claim)).toEqual({ said: [1], shown: [2] })
  })

  test('finds a claimed completion where the end was signaled', () => {
    expect(findClaimInReplay(replay, { subject: 'completion', claimed: 'done' }).said).toEqual([3])
  })
})
