import { describe, expect, it } from 'vitest'
import { checkProse, readDictionary } from './prose.ts'

const dictionary = readDictionary(
  'version: 1\nrules:\n  - { expected: again, pattern: "/\\\\banew\\\\b/i" }\n  - { expected: "needs attention", pattern: "/\\\\bis yours\\\\b/" }\n',
)
const found = (file: string, text: string) =>
  checkProse(file, text, dictionary).map(({ line, column, found: word }) => `${line}:${column} ${word}`)

describe('what is prose', () => {
  it.each([
    ['a line comment', 'a.ts', '// read anew', ['1:9 anew']],
    ['a multi-line docstring', 'a.ts', '/**\n * Reads it\n * anew.\n */\nconst a = 1', ['3:4 anew']],
    ['a sentence in a string literal', 'a.ts', "say('start anew')", ['1:12 anew']],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source text
    ['a sentence in a template literal', 'a.ts', 'say(`start ${name} and go anew`)', ['1:27 anew']],
    ['text on a page', 'a.tsx', 'const a = <b>This is yours</b>', ['1:19 is yours']],
    ['an attribute on a page', 'a.tsx', 'const a = <b title="read it anew" />', ['1:29 anew']],
    ['a paragraph', 'a.md', 'Read it\nanew.', ['2:1 anew']],
    ['a test name', 'a.test.ts', "it('reads anew', () => {})", ['1:11 anew']],
    ['a test table’s name', 'a.test.ts', "it.each([[1]])('reads %s anew', () => {})", ['1:26 anew']],
    ['a row’s name', 'a.test.ts', "it.each([['go anew', 1]] as const)('%s', () => {})", ['1:15 anew']],
  ])('finds a phrase in %s', (_what, file, text, expected) => {
    expect(found(file, text)).toEqual(expected)
  })

  it.each([
    ['an identifier', 'a.ts', 'const anew = 1'],
    ['an object key', 'a.ts', "const a = { anew: 1, ['anew']: 2 }"],
    ['a string in a test body', 'a.test.ts', "it('reads', () => say('I did it anew'))"],
    [
      'a row’s input and expected values',
      'a.test.ts',
      "it.each([['a', 'go anew'], ['b', { anew: 1 }]])('%s', f)",
    ],
    ['a row that is the test’s input', 'a.test.ts', "it.each(['I did it anew'])('%s', f)"],
    ['code in a comment', 'a.ts', '// Returns `go anew`'],
    ['inline code', 'a.md', 'The option `anew` is old.'],
    ['a code block', 'a.md', '```sh\nread anew\n```'],
    ['part of a word', 'a.ts', '// a renewal, janewise'],
  ])('ignores %s', (_what, file, text) => {
    expect(found(file, text)).toEqual([])
  })
})

it('ignores a quotation in its file, and nothing else there', () => {
  expect(
    checkProse('a.ts', "say('go anew', 'start anew')", dictionary, ['go anew']).map(({ column }) => column),
  ).toEqual([23])
})

it('reads the dictionary of this repository', () => {
  expect(readDictionary().rules.length).toBeGreaterThan(0)
})
