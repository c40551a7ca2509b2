import { expect, it } from 'vitest'
import { webAddress } from './landing-words.ts'

it.each([
  ['https://example.org/pulls/3', 'https://example.org/pulls/3'],
  ['javascript:alert(1)', null],
  ['file:///etc/passwd', null],
  ['pulls/3', null],
])('links to %s: %s', (url, address) => {
  expect(webAddress(url)).toBe(address)
})
