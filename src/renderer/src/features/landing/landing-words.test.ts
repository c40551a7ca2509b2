import { expect, it } from 'vitest'
import { answersFor, webAddress } from './landing-words.ts'

it.each([
  ['queued', true, ['land', 'drop']],
  ['judging', true, ['land', 'drop']],
  ['waiting', true, ['land', 'drop']],
  ['waiting', false, ['drop']],
  ['conflict', true, ['retry', 'drop']],
  ['held', true, ['retry', 'land', 'drop']],
  ['held', false, ['retry', 'drop']],
  ['dropped', false, ['retry']],
  ['landed', false, []],
  // Other contents were merged, and can be accepted.
  ['landed', true, ['land']],
] as const)('offers for %s work (it can land: %s) %j', (state, canLand, answers) => {
  expect(answersFor({ state, canLand })).toEqual(answers)
})

it.each([
  ['https://example.org/pulls/3', 'https://example.org/pulls/3'],
  ['javascript:alert(1)', null],
  ['file:///etc/passwd', null],
  ['pulls/3', null],
])('links to %s: %s', (url, address) => {
  expect(webAddress(url)).toBe(address)
})
