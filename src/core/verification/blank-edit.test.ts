import { expect, test } from 'vitest'
import { asksForEmpty, asksForForm, isBlankEdit, mayCheckForm } from './blank-edit.ts'

test.each([
  ['a blank line', 'a.js', 'a()\nb()\n', 'a()\n\nb()\n', true],
  ['a trailing space', 'a.js', 'a()\n', 'a() \n', true],
  ['changed line endings', 'a.js', 'a()\nb()\n', 'a()\r\nb()\r\n', true],
  ['changed indentation', 'a.js', 'if (a) {\n  b()\n}', 'if (a) {\n    b()\n}', true],
  ['a comment', 'a.js', 'a()\n', '// x\na()\n', false],
  ['a space that splits a word', 'a.js', 'let ab\n', 'let a b\n', false],
  ['two joined lines', 'a.js', 'a\nb\n', 'a b\n', false],
  ['indentation in Python', 'a.py', 'if a:\n    b()\nc()\n', 'if a:\n    b()\n    c()\n', false],
  ['a blank line in Python', 'a.py', 'a()\nb()\n', 'a()\n\n\nb()\n', true],
  ['indentation in YAML', 'a.yml', 'a:\n  b: 1\n  c: 2\n', 'a:\n  b: 1\nc: 2\n', false],
  ['a second space in Python', 'a.py', 'x = 1\n', 'x  = 1\n', true],
  ['a second space after a YAML key', 'a.yml', 'a:\n  b: 1\n', 'a:\n  b:  1\n', true],
  ['a second space in Markdown', 'a.md', 'a b\n', 'a  b\n', true],
  ['an indented first line in Python', 'a.py', 'x = 1\n', '  x = 1\n', false],
  ['a byte order mark', 'a.py', 'x = 1\n', '\ufeffx = 1\n', true],
  ['an invisible space', 'a.js', 'a()\n', 'a()\u200b\n', true],
  ['a space replaced by a tab in a table', 'a.tsv', 'a b\n', 'a\tb\n', false],
  ['text in an empty file', 'a.py', '', 'x\n', false],
  ['a blank line in an empty file', 'a.py', '', ' \n', true],
  ['indentation in a Makefile', 'Makefile', 'a:\n    b\n', 'a:\n\tb\n', false],
])('finds that %s: in %s is an edit of white space alone: %s', (_edit, path, before, after, expected) => {
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
  ['Format lib/cut.js', true],
  ['Format all the files', true],
  ['Move the pictures to Git LFS', true],
  ['Put data.bin under LFS', true],
  ['Run cargo fmt', true],
  ['go fmt', true],
  ['Run black', true],
  ['fix-style\nDedent the block', true],
  ['Fix the lint errors', true],
  ['Normalize line endings', true],
  ['Replace tabs with spaces', true],
  ['Add a blank line between the functions', true],
  ['Make the button black', false],
  ['Add a date formatter', false],
  ['Free disk space', false],
  ['Add tabs with icons', false],
  ['Format the date as ISO', false],
  ['Add an option to lint', false],
  ['Handle empty lines in the parser', false],
  ['Add tab support to cut', false],
  ['Support the CSV format', false],
  ['Style the button', false],
  ['Print the information', false],
])('finds that %s: asks for white space: %s', (text, expected) => {
  expect(asksForForm(text)).toBe(expected)
})

test.each([
  ['Make x a package: changed("x/__init__.py")', 'x/__init__.py', true],
  ['Add an empty file x/marks', 'x/marks', true],
  ['Write docs/api.md', 'docs/api.md', false],
  ['Fix the totals: changed("src/**")', 'src/__init__.py', false],
])('finds that %s: asks for an empty %s: %s', (text, path, expected) => {
  expect(asksForEmpty(text, path)).toBe(expected)
})

test.each([
  ['succeeds("npx prettier --check a.js")', true],
  ['succeeds("npm run lint")', true],
  ['succeeds("npm test")', false],
])('finds that %s: may check white space: %s', (check, expected) => {
  expect(mayCheckForm(check)).toBe(expected)
})
