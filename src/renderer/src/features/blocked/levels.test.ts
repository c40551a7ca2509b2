import { expect, test } from 'vitest'
import type { BlockedTask } from '../../../../core/read-model/blocked-task.ts'
import { blockedLevels } from './levels.ts'

test('only offers kinds of work that occur, the heaviest first', () => {
  const tasks = ['simple', 'ui_heavy', 'simple'].map((level) => ({ level }) as BlockedTask)
  expect(blockedLevels(tasks)).toEqual([
    { level: 'ui_heavy', count: 1 },
    { level: 'simple', count: 2 },
  ])
})
