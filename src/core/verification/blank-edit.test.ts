import { expect, test } from 'vitest'
import { asksForForm, isBlankEdit } from './blank-edit.ts'

test.each([
  ['a blank line', 'a.js', 'a()\nb()\n', 'a()\n\nb()\n', true],
  ['a space at the end', 'a.js', 'a()\n', 'a() \n', true],
  ['other line ends', 'a.js', 'a()\nb()\n', 'a()\r\nb()\r\n', true],
  ['another indentation', 'a.js', 'if (a) {\n  b()\n}', 'if (a) {\n    b()\n}', true],
  ['a comment', 'a.js', 'a()\n', '// x\na()\n', false],
  ['a space that splits a word', 'a.js', 'let ab\n', 'let a b\n', false],
  ['two joined lines', 'a.js', 'a\nb\n', 'a b\n', false],
  ['indentation in Python', 'a.py', 'if a:\n    b()\nc()\n', 'if a:\n    b()\n    c()\n', false],
  ['a blank line in Python', 'a.py', 'a()\nb()\n', 'a()\n\n\nb()\n', true],
  ['indentation in YAML', 'a.yml', 'a:\n  b: 1\n  c: 2\n', 'a:\n  b: 1\nc: 2\n', false],
  ['indentation in a Makefile', 'Makefile', 'a:\n    b\n', 'a:\n\tb\n', false],
])('%s: in %s is an edit of white space alone: %s', (_edit, path, before, after, expected) => {
  expect(isBlankEdit(path, before, after)).toBe(expected)
})

test.each([
  ['Format the sources', true],
  ['Run prettier over src', true],
  ['Fix the indentation of config.yml', true],
  ['Remove trailing whitespace', true],
  ['Convert tabs to spaces', true],
  ['End every file with a newline', true],
  ['changed("a.js") && succeeds("npx prettier --check a.js")', true],
  ['Add tab support to cut', false],
  ['Support the CSV format', false],
  ['Style the button', false],
  ['Print the information', false],
])('%s: asks for white space: %s', (text, expected) => {
  expect(asksForForm(text)).toBe(expected)
})
