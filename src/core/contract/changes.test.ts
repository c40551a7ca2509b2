import { expect, test } from 'vitest'
import { type ComparedTask, contractChanges } from './changes.ts'

const task = (id: string, change: Partial<ComparedTask> = {}): ComparedTask => ({
  id,
  description: 'Do it',
  required: true,
  verify: 'a > 0',
  maxAttempts: 3,
  checked: false,
  criteria: [{ text: 'short', checked: null }],
  ...change,
})

test.each<[string, Partial<ComparedTask>, string]>([
  ['hint', { verify: 'a > 1' }, 'Task "t": hint changed from "a > 0" to "a > 1".'],
  ['requirement', { required: false }, 'Task "t": optional now.'],
  ['box', { checked: true }, 'Task "t": its box was checked.'],
  ['attempts', { maxAttempts: 5 }, 'Task "t": max_attempts changed from 3 to 5.'],
  ['description', { description: 'Do that' }, 'Task "t": its description was reworded.'],
])('a changed %s is reported', (_, change, sentence) => {
  expect(contractChanges([task('t')], [task('t', change)])).toEqual([sentence])
})

test('tasks and criteria that came and went are told; a checked criterion and another order are not', () => {
  const before = [task('a'), task('b'), task('c')]
  const after = [
    task('c', { criteria: [{ text: 'long', checked: null }] }),
    task('a', { criteria: [{ text: 'short', checked: true }] }),
    task('d'),
  ]
  expect(contractChanges(before, after)).toEqual([
    'Task "c": criterion "long" was added.',
    'Task "c": criterion "short" was removed.',
    'Task "d" was added.',
    'Task "b" was removed.',
  ])
})

test('thousands of changes are counted, not listed', () => {
  const many = Array.from({ length: 1000 }, (_, index) => task(`t${index}`))
  const changes = contractChanges([], many)
  expect(changes).toHaveLength(50)
  expect(changes.at(-1)).toBe('And 951 more changes.')
})
