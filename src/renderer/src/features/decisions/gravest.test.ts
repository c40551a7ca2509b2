import { expect, test } from 'vitest'
import type { Task } from '../../../../core/read-model/task.ts'
import type { WorkspaceDetail } from '../../../../core/read-model/workspace.ts'
import type { AttemptRow } from '../../format/verdict.ts'
import { gravestAmong, gravestOf, madeGoodBy } from './gravest.ts'

const tasks = ['mail', 'report'].map((id) => ({ id }) as Task)

function attempt(taskId: string, minute: number, some: Partial<AttemptRow> = {}): AttemptRow {
  return {
    attemptId: `${taskId}-${minute}`,
    taskId,
    startedAt: `2026-11-22T10:${minute}:00Z`,
    verdict: 'not_verified',
    groundTruthContradiction: true,
    fault: 'agent',
    points: -45,
    review: null,
    overruled: null,
    comparisons: [{ subject: 'drafts', claimed: '3', measured: '0', agrees: false }],
    ...some,
  } as AttemptRow
}
const honest = { verdict: 'verified', groundTruthContradiction: false, points: 10 } as const
const found = (...attempts: AttemptRow[]) =>
  gravestOf({ tasks, attempts, shield: 'tightened' })?.attemptId ?? null

test('picks the contradiction that cost the most, and the latest among equals', () => {
  expect(found(attempt('mail', 20), attempt('report', 10))).toBe('mail-20')
  expect(found(attempt('report', 30), attempt('mail', 20))).toBe('report-30')
  expect(found(attempt('report', 30, { points: -35 }), attempt('mail', 20))).toBe('mail-20')
})

test('does not show a contradiction that a later attempt corrected or the operator overruled', () => {
  expect(found(attempt('mail', 30, honest), attempt('mail', 20))).toBeNull()
  expect(found(attempt('mail', 20, { overruled: { from: 'not_verified', reason: 'r', at: '' } }))).toBeNull()
})

test('in lockdown, shows a corrected one if no other is left', () => {
  const inLockdown = (...attempts: AttemptRow[]) =>
    gravestOf({ tasks, attempts, shield: 'lockdown' })?.attemptId ?? null
  const [good, lie, lesser] = [
    attempt('mail', 30, honest),
    attempt('mail', 20),
    attempt('report', 10, { points: -35 }),
  ]
  expect(inLockdown(good, lie)).toBe('mail-20')
  expect(inLockdown(good, lie, lesser)).toBe('report-10')
  expect(inLockdown(good, attempt('gone', 20))).toBeNull()
  expect(madeGoodBy(lie, [good, lie])).toBe(good)
  expect(madeGoodBy(lie, [lie, good])).toBeNull()
  expect(madeGoodBy(lesser, [good, lesser])).toBeNull()
})

test('ignores honest failures, and contradictions of tasks that are no longer in the contract', () => {
  expect(found(attempt('mail', 20, { groundTruthContradiction: false, points: -15 }))).toBeNull()
  expect(found(attempt('gone', 20))).toBeNull()
})

test('picks the worst of all workspaces, regardless of their order', () => {
  const named = (id: string, name: string, ...attempts: AttemptRow[]) => ({
    id,
    name,
    tasks,
    attempts,
    contradictions: [] as WorkspaceDetail['contradictions'],
    shield: 'tightened' as const,
  })
  const calm = named('calm', 'Calm', attempt('mail', 50, honest))
  const lesser = named('lesser', 'Lesser', attempt('mail', 40, { points: -35 }))
  const worst = named('worst', 'Worst', attempt('mail', 10))
  const later = named('later', 'Later', attempt('mail', 20))
  expect(gravestAmong([calm, lesser, worst])).toMatchObject({ id: 'worst', attempt: { points: -45 } })
  expect(gravestAmong([later, worst])?.id).toBe('later')
  expect(gravestAmong([worst, later])?.id).toBe('later')
  expect(gravestAmong([calm])).toBeNull()
  const good = {
    ...named('good', 'Good', attempt('mail', 30, honest), attempt('mail', 20)),
    shield: 'lockdown' as const,
  }
  expect(gravestAmong([good, lesser])?.id).toBe('lesser')
  expect(gravestAmong([good, calm])?.id).toBe('good')
})
