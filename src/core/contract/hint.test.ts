import { describe, expect, it } from 'vitest'
import { BUILT_IN_FUNCTIONS, parseHint } from './hint.ts'

const probeNames = ['email_count', 'tests']
const parse = (source: string, names: readonly string[] = probeNames) => parseHint(source, names)

describe('parseHint', () => {
  it.each([
    ['email_count > 0', ['email_count'], []],
    ['tests.passed == tests.total', ['tests'], []],
    ['unknown > 0 || email_count > 0', ['unknown', 'email_count'], []],
    ['exists("a.txt")', [], ['exists']],
    ['changed("src/**") && lines("a") > 3', [], ['changed', 'lines']],
    ['contains("a", "b|c") && succeeds("npm test")', [], ['contains', 'succeeds']],
    ['json("a.json").items.exists(i, i.id == email_count)', ['email_count'], ['json']],
    ['tests.names.all(n, n.startsWith(prefix))', ['tests', 'prefix'], []],
    ['tests.names.filter(n, n != "").map(n, size(n)) == [1]', ['tests'], ['size']],
    ['tests.names.map(n, n > m, n) == []', ['tests', 'm'], []],
    ['[1].exists(n, n == 1) && n == 1', ['n'], []],
    ['cel.bind(n, email_count + n, n > 0)', ['email_count', 'n'], []],
    ['has(tests.passed)', ['tests'], ['has']],
    ['type(email_count) == int', ['email_count'], ['type']],
    ['email_count in [1, 2.5, "x"]', ['email_count'], []],
    ['{"a": email_count}["a"] == 1', ['email_count'], []],
    ['email_count > 0 ? tests.ok : other', ['email_count', 'tests', 'other'], []],
    ['!tests.failed', ['tests'], []],
    ['email_count - tests.total', ['email_count', 'tests'], []],
    ['true', [], []],
  ])('parses %j as an expression', (source, probes, functions) => {
    expect(parse(source)).toEqual({ kind: 'expression', source, probes, functions })
  })

  it.each([
    'n + 1 == 3.5',
    'n * 1.5 == 3',
    'size(j) == 2.0',
    'j.size() * 0.5 != 1',
    '3.5 == n - 1',
    'n / 2 == 1.5',
  ])('mixes whole numbers and decimals in %j', (source) => {
    expect(parse(source)).toMatchObject({ kind: 'expression' })
  })

  it.each([
    ['email_count', 'email_count', []],
    ['tests.passed', 'tests', ['passed']],
    [' tests.a.b ', 'tests', ['a', 'b']],
    ['nobody_knows', 'nobody_knows', []],
    ['(tests)', 'tests', []],
  ])('parses %j as a probe, whether or not it is configured', (source, name, path) => {
    expect(parse(source)).toEqual({ kind: 'probe', source, name, path })
  })

  it.each([
    'task_completed',
    'DONE',
    'Ok',
    'completed',
    'complete',
    'finished',
    'yes',
    'well-done',
    'end-to-end',
    'phase-2',
    'all tests pass',
    'all tests pass.',
    'Done!',
    "don't stop",
    'the "inbox" is empty',
    'test(s) pass, 100% of them',
    'if',
    'größe stimmt',
    'build & test',
    'alle 3 Dateien sind da; keine fehlt',
  ])('parses %j as words', (source) => {
    expect(parse(source)).toEqual({ kind: 'words', source })
  })

  it.each(['done', 'ok', 'finished'])('parses %j as a probe if a probe has that name', (source) => {
    expect(parse(source, [source])).toEqual({ kind: 'probe', source, name: source, path: [] })
  })

  it('parses hyphens between known probes as minus', () => {
    expect(parse('email_count-tests')).toMatchObject({ kind: 'expression', probes: ['email_count', 'tests'] })
  })

  it.each([
    ['email_count >', 'The expression is missing a value at the end.'],
    ['email_count > > 3', 'The expression is missing a value at character 15, found ">".'],
    ['exists("a"', 'The expression needs ")" at the end.'],
    ['[1, 2', 'The expression needs "]" at the end.'],
    ['x = 3', 'A single "=" at character 3 is not a comparison. Write "==".'],
    [
      'a > 3 b',
      'Unexpected "b" at character 7: either an operator is missing before it, or it does not belong there.',
    ],
    ['exist("a")', 'There is no function "exist".'],
    ['tests.count()', 'There is no function "count".'],
    ['exists()', "The expression can never be true: found no matching overload for 'exists()'."],
    ['"x" + 1 == "x1"', 'The expression can never be true: no such overload: string + int.'],
    ['3', 'The expression can never be true: it returns int, not true or false.'],
    ['"done"', 'The expression can never be true: it returns string, not true or false.'],
    ['tests.all(3, x)', 'all(var, predicate) invalid predicate iteration variable at character 11.'],
    ['', 'The expression is missing a value at the end.'],
    [
      'x \0',
      'Unexpected "\\u0000" at character 3: either an operator is missing before it, or it does not belong there.',
    ],
    ['x'.repeat(2_001), 'A check may have at most 2000 characters.'],
    ['('.repeat(1_000), 'The expression is nested too deeply or is too long.'],
  ])('finds %j broken, and says where', (source, reason) => {
    expect(parse(source)).toEqual({ kind: 'broken', source, reason })
  })

  it.each([
    '!'.repeat(1_999),
    '-'.repeat(1_999),
    '[',
    '{"a":'.repeat(300),
    'a.'.repeat(999),
    'a+'.repeat(999),
  ])('accepts any number of operators (%#)', (source) => {
    expect(() => parse(`${source}a`)).not.toThrow()
  })
})

describe('BUILT_IN_FUNCTIONS', () => {
  it('can each be called as their signature says', () => {
    for (const { name, signature, doc } of BUILT_IN_FUNCTIONS) {
      const parameters = signature.slice(signature.indexOf('(') + 1, signature.indexOf(')')).split(', ')
      const call = `${name}(${parameters.map(() => '"x"').join(', ')})`
      expect(parse(`${call} == x`)).toMatchObject({ kind: 'expression', functions: [name] })
      expect(signature.startsWith(`${name}(`)).toBe(true)
      expect(doc).toMatch(/^[A-Z].*\.$/)
    }
    expect(BUILT_IN_FUNCTIONS.map(({ name }) => name)).toEqual([
      'exists',
      'changed',
      'contains',
      'lines',
      'json',
      'succeeds',
    ])
  })
})
