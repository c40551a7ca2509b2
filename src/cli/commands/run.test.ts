import { describe, expect, it } from 'vitest'
import { DEFAULT_SCORING } from '../../core/configuration/scoring.ts'
import type { RunReport } from '../../core/read-model/attempt.ts'
import { scoreView } from '../../core/read-model/score.ts'
import { fold } from '../../core/record/fold.ts'
import { resolveStanding } from '../../core/scoring/standing.ts'
import { describeReport, exitCodeOf } from './run.ts'

type Attempt = RunReport['attempts'][number]

function attempt(taskId: string, changes: Partial<Attempt>): Attempt {
  return {
    attemptId: 'a-1',
    taskId,
    outcome: 'completed',
    fault: null,
    verdict: null,
    groundTruthContradiction: false,
    reasons: [],
    points: 0,
    timeoutSeconds: 120,
    durationMs: 1000,
    costs: null,
    filesChanged: [],
    held: null,
    interventions: [],
    ...changes,
  }
}

const STATE = fold([{ type: 'supervisor-stopped', seq: 1, at: '2026-03-02T09:00:00Z', day: '2026-03-02' }])
const SCORE = scoreView('inbox', STATE, resolveStanding(STATE.score, DEFAULT_SCORING, 15), null, 'utc')

const report = (...attempts: Attempt[]): RunReport => ({
  workspace: 'inbox',
  cycle: 3,
  attempts,
  score: { ...SCORE, score: -37, penalty: 'lockdown' },
})

const verified = attempt('a', { verdict: 'verified', points: 10 })
const refuted = attempt('b', { verdict: 'not_verified', points: -15, fault: 'agent' })
const unclear = attempt('c', { verdict: 'unclear', points: -2, fault: 'agent' })
const skipped = attempt('d', {})
const stopped = attempt('e', { outcome: 'unavailable', fault: 'environment' })

describe('exit code of a heartbeat', () => {
  it.each([
    ['something was verified', report(refuted, verified, stopped), 0],
    ['no task was open', report(), 0],
    ['every task was skipped as allowed', report(skipped), 0],
    ['nothing was verified', report(refuted, unclear, skipped), 1],
    ['everything was unclear', report(unclear), 1],
    ['the agent could not run', report(skipped, stopped), 3],
  ])('where %s', (_name, answer, exitCode) => expect(exitCodeOf(answer)).toBe(exitCode))
})

describe('report of a heartbeat', () => {
  it('shows claim and measurement, points and score', () => {
    const lie = attempt('answer_mail', {
      verdict: 'not_verified',
      groundTruthContradiction: true,
      points: -45,
      reasons: ['claimed sent = 3, measured 0', 'claimed to have written a.md, but it did not change'],
    })
    expect(describeReport(report(lie, skipped), (_style, text) => text)).toEqual([
      'Heartbeat 3: 2 attempts',
      '≠ answer_mail   −45  1 s  claimed sent = 3, measured 0',
      '                          claimed to have written a.md, but it did not change',
      '– d                  1 s  ',
      'Score −37 of 50 (lockdown)',
    ])
    expect(describeReport(report(), (_style, text) => text)[0]).toBe('Heartbeat 3: no task is open')
  })

  it.each([
    [1, 'none', 'Score 0 of 50 (1 contradiction)'],
    [2, 'lockdown', 'Score 0 of 50 (lockdown, 2 contradictions)'],
    [0, 'none', 'Score 0 of 50'],
  ] as const)(
    'shows %i contradictions of the day beside the standing %s',
    (contradictions, penalty, line) => {
      const answer = { ...report(), score: { ...SCORE, contradictions, penalty } }
      expect(describeReport(answer, (_style, text) => text).at(-1)).toBe(line)
    },
  )
})
