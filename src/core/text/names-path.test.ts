import { expect, test } from 'vitest'
import { askedWords, namesFile, namesFolder, namesFolderAsPath } from './names-path.ts'

test.each([
  ['Fix cart.test.js', 'cart.test.js', true],
  ['Fix cart.test.js.', 'src/cart.test.js', true],
  ['Fix ./src/cart.test.js', 'src/cart.test.js', true],
  ['Fix `src/cart.test.js`, please', 'src/cart.test.js', true],
  ['Fix src\\cart.test.js', 'src/cart.test.js', true],
  ['Fix @src/cart.test.js', 'src/cart.test.js', true],
  ['Fix cart/cart.test.js', 'packages/cart/cart.test.js', true],
  ['Fix my notes/a.test.js', 'my notes/a.test.js', true],
  ['Fix app/[id]/page.test.tsx', 'app/[id]/page.test.tsx', true],
  ['Fix package.json', '../package.json', true],
  ['Fix ../package.json', '../package.json', true],
  ['Fix a/test.js', 'b/test.js', false],
  ['Fix a/test.js', 'test.js', false],
  ['Fix ../test.js', 'test.js', false],
  ['Fix packages/a/test.js', 'packages/b/test.js', false],
  ['Fix my-test.js', 'test.js', false],
  ['Fix prüftest.js', 'test.js', false],
  ['Fix test.jsx', 'test.js', false],
  ['Fix test.js/a', 'test.js', false],
])('%s: names %s: %s', (text, path, expected) => {
  expect(namesFile(text, path)).toBe(expected)
})

test.each([
  ['Fix packages/a/test.js', 'test.js', true],
  ['Fix /work/repo/packages/a/test.js', 'test.js', true],
  ['Fix packages/b/test.js', 'test.js', false],
  ['Fix packages/package.json', '../package.json', true],
])('%s: names %s from above the workspace: %s', (text, path, expected) => {
  expect(namesFile(text, path, '/work/repo/packages/a')).toBe(expected)
})

test.each([
  ['Update vendor/lib', 'vendor/lib', true],
  ['Update vendor/lib/a.js', 'vendor/lib', true],
  ['Update ./vendor/lib.', 'vendor/lib', true],
  ['Update the library', 'lib', false],
  ['Update src/lib', 'lib', false],
  ['Update lib-two', 'lib', false],
  ['Update lib.js', 'lib', false],
  ['Update the docs in website', 'website', true],
])('%s: names the folder %s: %s', (text, folder, expected) => {
  expect(namesFolder(text, folder)).toBe(expected)
})

test.each([
  ['Use the tools to fix it', 'tools', false],
  ['Do the work', 'work', false],
  ['Clone it into tools/', 'tools', true],
  ['Clone it into ./tools', 'tools', true],
  ['Clone it into `tools`', 'tools', true],
  ['exists("tools/a.sh")', 'tools', true],
  ['Clone it into .trees', '.trees', true],
])('%s: means the path of the folder %s: %s', (text, folder, expected) => {
  expect(namesFolderAsPath(text, folder)).toBe(expected)
})

test.each([
  ['Fix cart.py. Do not add a conftest.py', 'conftest.py', false],
  ['Fix cart.py without touching check.py, please', 'check.py', false],
  ["Don't edit check.py or tests/a.py; fix cart.py", 'tests/a.py', false],
  ['Fix cart.py so that check.py passes', 'check.py', false],
  ['Fix cart.py. check.py must not be changed.', 'check.py', false],
  ['Fix cart.py, and leave check.py as it is', 'check.py', false],
  ['Fix cart.py. You must not edit check.py.', 'check.py', false],
  ['Fix cart.py instead of check.py', 'check.py', false],
  ["Don't edit check.py, but fix cart.py", 'cart.py', true],
  ['Its tests do not run: repair check.py', 'check.py', true],
  ['It cannot count blank lines, so rewrite check.py', 'check.py', true],
  ['Fix cart.py so that check.py passes', 'cart.py', true],
  ["Don't forget to add tests/a.py", 'tests/a.py', true],
  ['Rewrite check.py so that it passes without jq', 'check.py', true],
  ['Rewrite check.py, which does not work', 'check.py', true],
  ['Keep docs/a.md short and add tests/a.py', 'tests/a.py', true],
  ['Do not only fix cart.py but add tests/a.py', 'tests/a.py', true],
  ['Without changing cart.py, add tests/a.py', 'tests/a.py', true],
  ["Don't edit cart.py, add tests/a.py", 'tests/a.py', true],
  ['Do not edit cart.py and add tests/a.py', 'tests/a.py', true],
  ['Use assert instead of nose in tests/a.py', 'tests/a.py', true],
  ['Do not use nose in tests/a.py any more', 'tests/a.py', true],
  ['Update tests/a.py so the output stays unchanged', 'tests/a.py', true],
  ['Keep tests/a.py green, update tests/b.py, and leave the rest unchanged', 'tests/b.py', true],
  ['Add tests/a.py and check.py stays as it is', 'tests/a.py', true],
  ['Add tests/a.py and check.py stays as it is', 'check.py', false],
  ["Don't change or delete the tests in tests/, check.py or tests/a.py", 'tests/a.py', false],
  ['Fix cart.py. Never touch `tests/a.py`', 'tests/a.py', false],
  ['Fix cart.py until tests/a.py is green', 'tests/a.py', false],
])('%s: asks for %s: %s', (text, path, expected) => {
  expect(namesFile(askedWords(text), path)).toBe(expected)
})

test('reads a long text in time', () => {
  const texts = ['must not be ', 'leave a ', 'so that a ', 'do not edit a ', 'a.b.c', 'a/a, the '].map(
    (piece) => piece.repeat(20_000),
  )
  expect(texts.map(askedWords)).toHaveLength(texts.length)
})
