import { expect, it } from 'vitest'
import { z } from 'zod'
import { issueWords } from './issue-words.ts'

const shape = z.object({
  text: z.string().min(1).max(2000),
  ids: z.array(z.string()).min(1).optional(),
  limit: z.coerce.number().int().min(1).max(500).optional(),
  seconds: z.number().max(86_400).optional(),
  answer: z.enum(['up', 'down']).optional(),
  name: z
    .string()
    .regex(/^[a-z]+$/, 'a name of letters')
    .optional(),
  label: z
    .string()
    .regex(/^[a-z]+$/, 'text on one line')
    .optional(),
  path: z.string().startsWith('/', 'rel is no absolute path.').optional(),
})

it.each<[string, unknown, string]>([
  ['a text that is too long', { text: 'x'.repeat(2001) }, 'expected at most 2,000 characters'],
  ['an empty text', { text: '' }, 'expected a text that is not empty'],
  ['a missing value', {}, 'is missing: expected a text'],
  ['a value of another type', { text: 5 }, 'expected a text, found a number'],
  ['null', { text: null }, 'expected a text, found null'],
  ['text for a number', { text: 'x', limit: 'x' }, 'expected a number, found none'],
  ['a number that is too small', { text: 'x', limit: 0 }, 'expected a number of at least 1'],
  ['a number that is too big', { text: 'x', seconds: 1e9 }, 'expected a number of at most 86,400'],
  ['an empty list', { text: 'x', ids: [] }, 'expected at least 1 entry'],
  ['an unknown word', { text: 'x', answer: 'sideways' }, 'expected one of "up"|"down"'],
  ['text that breaks a reworded rule', { text: 'x', label: '7' }, 'expected text on one line'],
  ['text that breaks a rule in words', { text: 'x', name: '7' }, 'expected a name of letters'],
  ['text that breaks a rule with a sentence', { text: 'x', path: 'rel' }, 'rel is no absolute path.'],
  ['a value of another shape', [], 'expected an object, found a list'],
])('says what was expected instead of %s', (_what, input, words) => {
  const [issue] = shape.safeParse(input).error?.issues ?? []
  if (issue === undefined) throw new Error('expected an issue')
  expect(issueWords(issue)).toBe(words)
})
