import { expect, test } from 'vitest'
import { titled } from './sentence.ts'

test('puts no colon after a title that is a sentence', () => {
  expect(titled('inbox: lockdown', 'All tasks are required.')).toBe(
    'inbox: lockdown: All tasks are required.',
  )
  expect(titled('The agent wrote nothing.', 'Lockdown.')).toBe('The agent wrote nothing. Lockdown.')
})
