import { expect, test } from 'vitest'
import { z } from 'zod'
import { parseJson, readJson } from './json.ts'

test.each([
  ['{"a":1}', { a: 1 }],
  ['null', null],
  ['{"a":', undefined],
  ['', undefined],
])('parses %j, or returns undefined', (text, value) => {
  expect(parseJson(text)).toEqual(value)
})

test('reads broken text as nothing, even with a schema that accepts nothing', () => {
  const lenient = z.preprocess((value) => value ?? {}, z.object({ a: z.number().optional() }))
  expect(readJson(lenient, '{"a":1}')).toEqual({ a: 1 })
  expect(readJson(lenient, '{"a":"1"}')).toBeNull()
  expect(readJson(lenient, '{"a":')).toBeNull()
})
