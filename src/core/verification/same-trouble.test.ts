import { expect, it } from 'vitest'
import { isSameTrouble } from './same-trouble.ts'

it.each([
  ['"request_id":"req_011CSHoEeqs5C35K2UUqR7Fy"', '"request_id":"req_011CSJpAbq9zD46L3VVrS8Gz"'],
  ['(cf-ray 8f2c1d7e9ab34c55-FRA)', '(cf-ray 90aa1d7e9ab34c11-FRA)'],
  ['trace 3f2c1d7e-9ab3-4c55-8a11-0b5c6d7e8f90', 'trace 90aa1d7e-9ab3-4c55-9a11-0b5c6d7e8f91'],
  ['try again in 1.5s (12 of 50)', 'try again in 30s (13 of 50)'],
  ['at 2026-11-28T07:10:00.123Z', 'at 2026-11-28 08:00'],
])('ignores what differs each time: %s', (one, other) => {
  expect(isSameTrouble(`It failed: “${one}”.`, `It failed: “${other}”.`)).toBe(true)
})

it.each([
  ['the model gpt-5.1 is not served', 'the model gpt-5.2 is not served'],
  ['claude-sonnet-4-5-20250929', 'claude-opus-4-5-20251101'],
  ['the sandbox blocked a write to /home/a/.cache/v8', 'the sandbox blocked a write to /home/a/.cache/v9'],
  ['python3.11 was not found', 'python3.12 was not found'],
  ['it is not logged in', 'it had an internal error'],
])('distinguishes problems with different remedies: %s', (one, other) => {
  expect(isSameTrouble(one, other)).toBe(false)
})
