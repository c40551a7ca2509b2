import { describe, expect, it } from 'vitest'
import { parseJsonFile } from './json-text.ts'

describe('a JSON file that may have comments', () => {
  it.each<[string, unknown]>([
    ['{"a": 1, /* , } */ "b": [1, 2,], // "c": 3\n}', { a: 1, b: [1, 2] }],
    ['// first\n[1,\n// last\n]', [1]],
    ['{"a": "// no, }", "b": "\\" /* no */",}', { a: '// no, }', b: '" /* no */' }],
    ['\uFEFF{"a": 1,}', { a: 1 }],
  ])('is read without them: %j', (text, value) => {
    expect(parseJsonFile('a/tsconfig.build.json', text)).toEqual(value)
    expect(parseJsonFile('data.json', text)).toBeUndefined()
  })

  it.each(['{"a": 1 /* 2', '{"a": 1/**/2}', '[1,,]', '[,]"', '{"a": 1', '{"a": "x', '"\\', ''])(
    'is rejected if it is broken: %j',
    (text) => {
      expect(parseJsonFile('tsconfig.json', text)).toBeUndefined()
    },
  )

  it.each(['"\\"', '/*', ', ', '// '])('takes linear time for any amount of %j that an agent writes', (part) => {
    expect(parseJsonFile('x.jsonc', part.repeat(100_000))).toBeUndefined()
  })
})
