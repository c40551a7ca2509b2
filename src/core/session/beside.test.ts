import { describe, expect, it } from 'vitest'
import { attemptsBeside, isWorkedBeside, type NearSession } from './beside.ts'

const MINUTE = 60_000
const at = (minute: number): string => new Date(minute * MINUTE).toISOString()
const OWN = { sessionId: 'own', directory: '/w', startedAt: at(10) }
const near = (change: Partial<NearSession>): NearSession => ({
  ...{ sessionId: 'other', directory: '/w', startedAt: at(5), tree: 'A', turns: [], startedDuring: [] },
  ...change,
})

describe('another session in the same folder', () => {
  it.each<readonly [string, Partial<NearSession>, boolean]>([
    ['that only started', {}, false],
    ['that was started by the agent itself', { startedAt: at(20) }, false],
    ['that answered without changing anything', { turns: [{ at: at(20), tree: 'A' }] }, false],
    ['whose turns were not measured', { turns: [{ at: at(20), tree: null }] }, false],
    ['that changed files', { turns: [{ at: at(20), tree: 'B' }] }, true],
    [
      'that changed files in an earlier turn',
      {
        turns: [
          { at: at(20), tree: 'B' },
          { at: at(21), tree: 'B' },
        ],
      },
      true,
    ],
    ['that changed files before this session started', { turns: [{ at: at(9), tree: 'B' }] }, false],
    [
      'that answered after an unmeasured turn',
      {
        turns: [
          { at: at(8), tree: 'B' },
          { at: at(9), tree: null },
          { at: at(20), tree: 'B' },
        ],
      },
      false,
    ],
    [
      'that changed files, possibly started by this one',
      { startedAt: at(20), startedDuring: ['own'], turns: [{ at: at(30), tree: 'B' }] },
      false,
    ],
    [
      'that changed files, possibly started by a third one',
      { startedAt: at(20), startedDuring: ['third'], turns: [{ at: at(30), tree: 'B' }] },
      true,
    ],
    ['unless it is elsewhere', { directory: '/elsewhere', turns: [{ at: at(20), tree: 'B' }] }, false],
    ['with the same id', { sessionId: 'own', turns: [{ at: at(20), tree: 'B' }] }, false],
  ])('%s', (_title, change, expected) => {
    expect(isWorkedBeside(OWN, [near(change)])).toBe(expected)
  })
})

describe('a heartbeat in the same folder', () => {
  const attempt = { attemptId: 'a-1', startedAt: at(20), durationMs: MINUTE, filesChangedCount: 2 }
  const landing = (state: string, minute: number) => ({ attemptId: 'a-1', state, at: at(minute) })

  it.each<readonly [string, object, boolean]>([
    ['that changed files', {}, true],
    ['that changed nothing', { filesChangedCount: 0 }, false],
    ['that ended before this session started', { startedAt: at(8) }, false],
    ['that ended after this session started', { startedAt: at(9) }, true],
  ])('%s', (_title, change, expected) => {
    const found = attemptsBeside(OWN, [{ ...attempt, ...change }], { isIsolated: false, landings: [] })
    expect(found.length > 0).toBe(expected)
  })

  it.each([
    ['has landed since', [landing('landed', 25)], true],
    ['had landed before', [landing('landed', 5)], false],
    ['has not landed', [landing('waiting', 25)], false],
    ['was not handed in', [], false],
  ])('whose work in a tree %s', (_title, landings, expected) => {
    expect(attemptsBeside(OWN, [attempt], { isIsolated: true, landings }).length > 0).toBe(expected)
  })
})
