import { expect, test } from 'vitest'
import { medianWords } from './median-words.ts'

test('writes a median in whole seconds, or in fractions if all are short', () => {
  expect([0, 12, 75].map(medianWords(75))).toEqual(['0 s', '12 s', '1 min 15 s'])
  expect([0, 0.0123, 0.45, 7].map(medianWords(7))).toEqual(['0 s', '0.012 s', '0.45 s', '7 s'])
})
