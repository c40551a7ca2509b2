import { expect, test } from 'vitest'
import { counted } from './counted.ts'

test('uses the singular for one, and the plural for zero and many', () => {
  expect([counted(1, 'task'), counted(0, 'task'), counted(2, 'day ago', 'days ago')]).toEqual([
    '1 task',
    '0 tasks',
    '2 days ago',
  ])
})
