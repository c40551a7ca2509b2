import { expect, test } from 'vitest'
import { codePieces } from './code-pieces.ts'
import { patchLines, patchRows } from './patch-rows.ts'

const PATCH = `# changed a.ts
--- a/a.ts
+++ b/a.ts
@@ -1,4 +1,4 @@
 one
--- two
-three
+2
 four
\\ No newline at end of file
# new b.txt
@@ -0,0 +1 @@
++++ b
`

test('counts lines per file, and never mistakes a line in a file for a header', () => {
  expect(patchLines(PATCH).map(({ kind, text, before, after }) => [kind, text, before, after])).toEqual([
    ['note', '# changed a.ts', null, null],
    ['file', '--- a/a.ts', null, null],
    ['file', '+++ b/a.ts', null, null],
    ['place', '@@ -1,4 +1,4 @@', null, null],
    ['same', 'one', 1, 1],
    ['removed', '-- two', 2, null],
    ['removed', 'three', 3, null],
    ['added', '2', null, 2],
    ['same', 'four', 4, 3],
    ['note', '\\ No newline at end of file', null, null],
    ['note', '# new b.txt', null, null],
    ['place', '@@ -0,0 +1 @@', null, null],
    ['added', '+++ b', null, 1],
  ])
})

test("finds a header for each file in git's output", () => {
  const patch =
    'diff --git a/a b/a\n--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+one\ndiff --git a/b b/b\n--- a/b\n+++ b/b\n@@ -1 +1 @@\n-1\n+2\n'
  expect(patchLines(patch).map(({ kind }) => kind)).toEqual([
    ...['note', 'file', 'file', 'place', 'added'],
    ...['note', 'file', 'file', 'place', 'removed', 'added'],
  ])
  expect(patchLines(patch).find(({ text }) => text === '@@ -1 +1 @@')?.opens).toEqual({ path: 'b', line: 1 })
})

test('finds the line that a section opens in its file, and none if the file was deleted', () => {
  const gone = '--- a/c.ts\n+++ b/c.ts\n@@ -1,2 +0,0 @@\n-one\n-two\n'
  const places = patchLines(PATCH + gone).filter(({ kind }) => kind === 'place')
  expect(places.map(({ opens }) => opens)).toEqual([{ path: 'a.ts', line: 1 }, undefined, undefined])
})

test('pairs removed lines with the lines that replaced them', () => {
  const rows = patchRows(patchLines(PATCH)).flatMap((row) =>
    row.kind === 'pair' ? [[row.before?.text ?? null, row.after?.text ?? null]] : [],
  )
  expect(rows).toEqual([
    ['one', 'one'],
    ['-- two', '2'],
    ['three', null],
    ['four', 'four'],
    [null, '+++ b'],
  ])
})

test('joins the pieces of a line to the whole line, whatever it contains', () => {
  const lines = [
    `const a = "b" // c`,
    `  # note`,
    `a#b`,
    `'open`,
    `if (x9 > 10.5) return null`,
    '',
    '\u0000<!--',
  ]
  for (const line of lines)
    expect(
      codePieces(line)
        .map(({ text }) => text)
        .join(''),
    ).toBe(line)
  expect(codePieces(`return "x" // y`).map(({ kind }) => kind)).toEqual([
    'word',
    null,
    'text',
    null,
    'comment',
  ])
})
