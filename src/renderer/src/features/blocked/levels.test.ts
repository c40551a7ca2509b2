import { expect, test } from 'vitest'
import type { BlockedTask } from '../../../../core/read-model/blocked-task.ts'
import { blockedLevels } from './levels.ts'

test('only kinds of work that are there can be chosen, the heaviest first', () => {
  const tasks = ['simple', 'ui_heavy', 'simple'].map((level) => ({ level }) as BlockedTask)
  expect(blockedLevels(tasks)).toEqual([
    { level: 'ui_heavy', count: 1 },
    { level: 'simple', count: 2 },
  ])
})
