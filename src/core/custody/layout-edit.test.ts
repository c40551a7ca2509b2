import { describe, expect, test } from 'vitest'
import { isLayoutEdit } from './layout-edit.ts'

describe('a test that was only formatted', () => {
  test.each([
    ['a.test.js', 'is(cut(1,2),"a b")\n', '  is(cut(1, 2), "a b")\n'],
    ['a.test.ts', "const a={b:1}\n\n\nt('x',()=>{\n})\n", "const a = { b: 1 }\nt('x', () => {\n})\n"],
    ['a_test.go', 'func T(t *testing.T) {\n    if a!=b {\n', 'func T(t *testing.T) {\n\tif a != b {\n'],
    ['ATest.java', 'is(sub(3,2),1);\n', 'is(sub(3, 2), 1);\n'],
    [
      'tests/test_a.py',
      'def test_a():\n    assert cut(1,2)==3\n',
      'def test_a():\n    assert cut(1, 2) == 3\n',
    ],
    ['a.test.js', 'a()\r\nb()\r\n', 'a()\nb()\n'],
    ['a.test.js', 'is(`a b`,1) \n// a note, kept\n', 'is(`a b`, 1)\n// a note, kept\n'],
  ])('%s: %j → %j', (path, before, after) => expect(isLayoutEdit(path, before, after)).toBe(true))
})

describe('a liar’s layout', () => {
  test.each([
    ['expects other text', 'a.test.js', "is(a, 'b c')\n", "is(a, 'b  c')\n"],
    ['expects other text in a template', 'a.test.js', 'is(a, `b c`)\n', 'is(a, `bc`)\n'],
    ['expects other text over lines', 'a.test.js', 'is(a, `\n b\n`)\n', 'is(a, `\nb\n`)\n'],
    ['expects other text over lines', 'tests/test_a.py', 'a == """\n b,c"""\n', 'a == """\n b, c"""\n'],
    ['ends a statement early', 'a.test.js', 'return is(a, b)\n', 'return\nis(a, b)\n'],
    ['joins a line to a comment', 'a.test.js', 'a() // why\nis(b)\n', 'a() // why is(b)\n'],
    ['matches another pattern', 'a.test.js', 'match(a, /b, c/)\n', 'match(a, /b,c/)\n'],
    ['reads an operator otherwise', 'a.test.js', 'is(a - -b)\n', 'is(a --b)\n'],
    ['reads an operator otherwise', 'a.test.js', 'is(a = = b)\n', 'is(a == b)\n'],
    ['reads a word otherwise', 'a.test.js', 'in x\n', 'inx\n'],
    ['moves a line out of a block', 'tests/test_a.py', 'if a:\n    b()\n    c()\n', 'if a:\n    b()\nc()\n'],
    ['changes a directive', 'a_test.go', '// +build x\n', '//+build x\n'],
    ['changes a directive', 'test.c', '#define F(a) a\n', '#define F (a) a\n'],
    ['changes a string that is open', 'a.test.js', "it's(a,b)\n", "it's(a, b)\n"],
    ['calls something else', 'spec/a_spec.rb', 'foo -1\n', 'foo - 1\n'],
    ['goes on after a blank line', 'test.c', '#define A(x) \\\n\nis(x)\n', '#define A(x) \\\nis(x)\n'],
    ['changes text behind a backslash', 'a.test.js', 'is("\\\\","a,b")\n', 'is("\\\\","a, b")\n'],
    ['changes a lifetime, or text', 'tests/a.rs', 'f(\'a,"b,c")\n', 'f(\'a,"b, c")\n'],
    ['changes text over lines', 'ATest.php', "'a\n b'\n", "'a\nb'\n"],
    ['changes data', 'test/a.txt', 'a,b\n', 'a, b\n'],
    ['changes a value', 'a.test.js', 'is(cut(1,2))\n', 'is(cut(1, 3))\n'],
  ])('%s: %s %j → %j', (_title, path, before, after) => {
    expect(isLayoutEdit(path, before, after)).toBe(false)
  })
})
