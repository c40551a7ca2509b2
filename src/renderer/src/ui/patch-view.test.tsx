import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { PatchView } from './patch-view.tsx'
import { TextDifference } from './text-difference.tsx'

/** What a screen reader gets, line by line. */
function linesOf(view: React.ReactElement): readonly string[] {
  const html = renderToStaticMarkup(view).replace(/<\/?figure[^>]*>/g, '')
  return html
    .split(/(?<=<\/span>)(?=<span[^>]* dir)/)
    .map((line) => line.replace(/<[^>]*>/g, '').replaceAll('&lt;', '<'))
}

test('shows a removed line that begins with `--` as removed, and not as the header of a file', () => {
  const patch = '--- a/list.sql\n+++ b/list.sql\n@@ -1,2 +1,2 @@\n--- a comment\n+++ counted\n same\n'
  expect(linesOf(<PatchView patch={patch} label="A difference" />)).toEqual([
    '--- a/list.sql',
    '+++ b/list.sql',
    '@@ -1,2 +1,2 @@',
    'removed: --- a comment',
    'added: +++ counted',
    ' same',
  ])
})

test('shows text with conflict markers unchanged, and marks none of it as added or removed', () => {
  const sides = '--- list.md\n<<<<<<< the target\n- one\n=======\n+ two'
  expect(linesOf(<PatchView patch={sides} label="Both sides" />)).toEqual(sides.split('\n'))
})

test('shows what differs between two texts, with three lines around it and invisible characters visible', () => {
  const before = 'one\r\ntwo\r\nthree\r\nfour\r\nrun = "a"\r\n-- five\r\n'
  const after = 'one\ntwo\nthree\nfour\nrun = "a\u202e"\n'
  expect(linesOf(<TextDifference before={before} after={after} label="A difference" />)).toEqual([
    '@@ -2,5 +2,4 @@',
    ' two',
    ' three',
    ' four',
    'removed: -run = &quot;a&quot;',
    'removed: --- five',
    'added: +run = &quot;a\\u{202e}&quot;',
  ])
})

test('omits no line that the operator approves, however many an agent puts before the one that matters', () => {
  const many = '# nothing\n'.repeat(5000)
  const shown = linesOf(<TextDifference before="" after={`${many}run = "evil"\n`} label="A difference" />)
  expect([shown.length, shown.at(-1)]).toEqual([5002, 'added: +run = &quot;evil&quot;'])
})

test('says so if only line ends differ', () => {
  expect(linesOf(<TextDifference before={'a\r\n'} after={'a\n'} label="A difference" />)).toEqual([
    'No line differs.',
  ])
})
