import { expect, test } from 'vitest'
import { excessTasks, MAX_ADDED_TASKS } from './added-tasks.ts'
import { initCycleProgress, recordAttempt } from './progress.ts'
import type { CycleProgress } from './types.ts'

const ids = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`)
const cycleOf = (tasks: readonly string[], before: CycleProgress | null = null) =>
  initCycleProgress(
    tasks.map((id) => ({ id, maxAttempts: 3, checked: false })),
    before,
    { reopened: new Set() },
  )

test('skips none if all of them can be tried', () => {
  const added = ids(MAX_ADDED_TASKS)
  expect(excessTasks(cycleOf([...added, 'own']), new Set(added))).toEqual(new Set())
})

test('tries the others in turn, the longest untried first, whatever their result', () => {
  const added = ids(50)
  const tried: string[] = []
  let progress = cycleOf(added)
  for (let heartbeat = 0; heartbeat < 3; heartbeat++) {
    const alone = excessTasks(progress, new Set(added))
    const at = new Date(Date.UTC(2026, 0, 1, heartbeat)).toISOString()
    const now = added.filter((id) => !alone.has(id))
    expect(now).toHaveLength(MAX_ADDED_TASKS)
    for (const id of now) {
      tried.push(id)
      progress = recordAttempt(progress, id, { verdict: 'verified', skipped: false, at, result: '' })
    }
    progress = cycleOf(added, progress)
  }
  expect(new Set(tried)).toEqual(new Set(added))
  expect(tried.slice(2 * MAX_ADDED_TASKS).toSorted()).toEqual([...ids(10), ...added.slice(40)].toSorted())
})

test('counts only open tasks, and never skips the operator’s own', () => {
  const added = ids(MAX_ADDED_TASKS + 1)
  const at = new Date(0).toISOString()
  const progress = recordAttempt(cycleOf([...added, 'own']), 't0', {
    verdict: 'verified',
    skipped: false,
    at,
    result: '',
  })
  expect(excessTasks(progress, new Set(added))).toEqual(new Set())
  expect(excessTasks(cycleOf(ids(5_000)), new Set())).toEqual(new Set())
})
