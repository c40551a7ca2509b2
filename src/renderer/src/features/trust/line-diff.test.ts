import { expect, test } from 'vitest'
import { lineDiff } from './line-diff.ts'

const NUMBERED = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`)

test('shows a changed line as removed and added, with context, and the rest as gaps', () => {
  const before = `${NUMBERED.join('\n')}\n`
  const after = before.replace('line 6\n', 'line six\n')
  expect(lineDiff(before, after)).toEqual([
    { kind: 'gap', text: '2 lines unchanged' },
    { kind: 'same', text: 'line 3' },
    { kind: 'same', text: 'line 4' },
    { kind: 'same', text: 'line 5' },
    { kind: 'removed', text: 'line 6' },
    { kind: 'added', text: 'line six' },
    { kind: 'same', text: 'line 7' },
    { kind: 'same', text: 'line 8' },
    { kind: 'same', text: 'line 9' },
    { kind: 'gap', text: '3 lines unchanged' },
  ])
})

test('returns only a gap when nothing changed', () => {
  expect(lineDiff('a\nb', 'a\nb')).toEqual([{ kind: 'gap', text: '2 lines unchanged' }])
})

test('empty text has no lines', () => {
  expect(lineDiff('', '')).toEqual([])
  expect(lineDiff('', 'a\n')).toEqual([{ kind: 'added', text: 'a' }])
})

test('ignores Windows line endings', () => {
  expect(lineDiff('a\r\nb\r\n', 'a\r\nc\r\n')).toEqual([
    { kind: 'same', text: 'a' },
    { kind: 'removed', text: 'b' },
    { kind: 'added', text: 'c' },
  ])
})
