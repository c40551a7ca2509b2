import { expect, test } from 'vitest'
import { costInWords, tokensInWords } from './usage-words.ts'

test.each([
  [null, '–'],
  [0, '0'],
  [940.4, '940'],
  [1000, '1k'],
  [12_431, '12.4k'],
  [999_400, '999k'],
  [999_600, '1M'],
  [3_140_000, '3.1M'],
])('%s tokens are said as %s', (tokens, words) => expect(tokensInWords(tokens)).toBe(words))

test.each([
  [null, '–'],
  [0, '$0.00'],
  [0.0042, '$0.004'],
  [0.424, '$0.42'],
  [1234.5, '$1234.50'],
])('writes a cost of %s as %s', (cost, words) => expect(costInWords(cost)).toBe(words))
