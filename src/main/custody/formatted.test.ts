import { describe, expect, test } from 'vitest'
import { isOnlyFormatted } from './formatted.ts'

const isSame = (before: string, after: string): boolean => isOnlyFormatted('test/a.test.ts', before, after)

describe('a formatted test', () => {
  test.each([
    ["import { a } from 'a'\nis('x')\n", 'import { a } from "a";\nis("x");\n'],
    ['test("a", () => { is(1); is(2); });\n', 'test("a", () => {\n  is(1)\n  is(2)\n})\n'],
    ['is(total(1, 2),\n  3)\n', 'is(\n  total(1, 2),\n  3,\n);\n'],
    ['run(x => x + 1)\n', 'run((x) => x + 1);\n'],
    ['is("it\'s", "\\"");\n', "is('it\\'s', '\"')\n"],
    ['is(1); // is one\n// next\nis(2);\n', 'is(1) // is one\n// next\nis(2)\n'],
    ['for (let i = 0; i < 2; i++) { is(i) }\n', 'for (let i = 0; i < 2; i++) {\n  is(i);\n}\n'],
    ['if (a) is(1)\nelse is(2)\n', 'if (a)\n  is(1);\nelse\n  is(2);\n'],
    ['is((a + b) / 2, c / d)\n', 'is((a + b)/2, c/d);\n'],
    ["is(a, /'x/)\n", "is(a, /'x/);\n"],
    ['a\n;[1].forEach(is)\n', 'a;\n[1].forEach(is);\n'],
    ['const a = [\n  1,\n  2\n]\nis(`a\n b`)\n', 'const a = [1, 2];\nis(`a\n b`);\n'],
    ['is(1)\r\nis(2)\r\n', 'is(1)\nis(2)\n'],
    ['', '\n'],
  ])('%j → %j', (before, after) => {
    expect(isSame(before, after)).toBe(true)
    expect(isSame(after, before)).toBe(true)
  })
})

describe('a test that does something else', () => {
  test.each([
    ['expects another value', 'is(a, 3)', 'is(a, -3)'],
    ['expects another text', "is(a, 'x y')", "is(a, 'x  y')"],
    ['expects another template', 'is(a, `x y`)', 'is(a, `x  y`)'],
    ['expects a backslash', "is(a, '\\\\\"')", "is(a, '\"')"],
    ['expects another regular expression', 'is(a, /x y/)', 'is(a, /x  y/)'],
    ['ends before it asserts', 'return is(a, 3)', 'return\nis(a, 3)'],
    ['ends before it asserts, in parentheses', 'return (x) => x', 'return\n(x) => x'],
    ['asserts in any case', 'if (a)\n  is(a, 3)\n', 'if (a);\n  is(a, 3)\n'],
    ['asserts once', 'while (next())\n  is(1)\n', 'while (next());\n  is(1)\n'],
    ['does nothing otherwise', 'if (a) is(1)\nelse\n  is(2)\n', 'if (a) is(1)\nelse;\n  is(2)\n'],
    ['calls another function', 'const a = b\n(c)\n', 'const a = b;\n(c)\n'],
    ['divides no more', 'const a = b\n/c/.d\n', 'const a = b;\n/c/.d\n'],
    ['has no getter', 'class A { get\n x() {} }', 'class A { get; x() {} }'],
    ['waits no more', 'async\nfunction a() {}', 'async function a() {}'],
    ['compares a list with a hole', 'is(a, [1,,])', 'is(a, [1,])'],
    ['loops for ever', 'for (;a;) is(1)', 'for (;;a) is(1)'],
    ['skips', "test('a', f)", "test.skip('a', f)"],
    ['comments an assertion', 'a()\nis(1)\n', 'a() // is(1)\n'],
    ['has a directive less', '// @ts-expect-error\nis(1)\n', 'is(1)\n'],
    [
      'has a directive elsewhere',
      '// @ts-expect-error\nis(1)\nis(2)\n',
      'is(1)\n// @ts-expect-error\nis(2)\n',
    ],
    ['shows another text', 'is(<a>x y</a>)', 'is(<a>x  y</a>)'],
    ['increments another', 'a\n++b\n', 'a++\nb\n'],
    ['expects nothing', 'is(a, 1e999)', 'is(a, null)'],
    ['expects a text', 'is(a, 1)', "is(a, '1')"],
    ['expects the text of a number', 'is(a, 1n)', "is(a, '1n')"],
    ['expects another raw text', 'is(a, String.raw`\\d`)', 'is(a, String.raw`d`)'],
    ['hides the rest of its line', 'is(a <! --b)', 'is(a <!--b)'],
    ['is started by another program', '#!/usr/bin/env node\nis(1)', 'is(1)'],
    ['is no longer checked', '"use strict"\nis(1)', '("use strict")\nis(1)'],
    ['has another type', 'is<string>(a)', 'is(a)'],
    ['cannot be parsed', 'is(1', 'is(1'],
    ['has a hidden line', 'is(1) // a', 'is(1) // a\u2028is(2)'],
  ])('%s: %j → %j', (_title, before, after) => {
    expect(isSame(before, after)).toBe(false)
    expect(isSame(after, before)).toBe(false)
  })

  test('is in another language', () => {
    expect(isOnlyFormatted('test_a.py', "a('x')\n", 'a("x")\n')).toBe(false)
    expect(isOnlyFormatted('a.test.tsx', "a('x')\n", 'a("x")\n')).toBe(false)
  })
})
