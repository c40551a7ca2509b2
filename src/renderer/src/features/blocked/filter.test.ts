import { expect, test } from 'vitest'
import type { BlockedTask } from '../../../../core/read-model/blocked-task.ts'
import type { SuggestionKind } from '../../../../core/vocabulary/unblock.ts'
import { type BlockedFilter, filterBlocked, NO_FILTER, suggestionsOf } from './filter.ts'

function task(taskId: string, level: BlockedTask['level'], kind: SuggestionKind | null): BlockedTask {
  return {
    taskId,
    level,
    description: `Do ${taskId}`,
    reason: '3 of 3 attempts failed: 1 timeout',
    suggestion: kind === null ? null : { kind, timeoutSeconds: null, reason: '' },
  } as BlockedTask
}

const TASKS = [
  task('Draw_Chart', 'ui_heavy', 'increase_timeout'),
  task('mail', 'medium', 'manual_review'),
  task('بريد', 'medium', null),
]

test.each([
  [{}, ['Draw_Chart', 'mail', 'بريد']],
  [{ text: ' draw ' }, ['Draw_Chart']],
  [{ text: 'TIMEOUT' }, ['Draw_Chart', 'mail', 'بريد']],
  [{ text: 'بريد' }, ['بريد']],
  [{ level: 'medium' }, ['mail', 'بريد']],
  [{ suggestion: 'manual_review' }, ['mail']],
  [{ suggestion: 'manual_review', level: 'ui_heavy' }, []],
] as const)('%o finds %j', (filter, expected) => {
  const found = filterBlocked(TASKS, { ...NO_FILTER, ...(filter as Partial<BlockedFilter>) })
  expect(found.map(({ taskId }) => taskId)).toEqual(expected)
})

test('only offers suggestions that occur', () => {
  expect(suggestionsOf(TASKS)).toEqual([
    { kind: 'increase_timeout', count: 1 },
    { kind: 'manual_review', count: 1 },
  ])
})
