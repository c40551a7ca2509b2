import { expect, test } from 'vitest'
import { isBlankSince } from './blank-since.ts'

const POINTER =
  'version https://git-lfs.github.com/spec/v1\noid sha256:87428fc522803d31065e7bce3cf03fe475096631e5e07bbd7a0fde60c4cf25c7\nsize 2\n'

test.each([
  ['the pointer of Git LFS', 'a\n', POINTER, true],
  ['what a pointer stands for', POINTER, 'a\n', true],
  ['a pointer to something else', 'b\n', POINTER, false],
  ['a text that names the sum', 'a\n', `// ${POINTER}`, false],
  ['a blank line', 'a()\n', 'a()\n\n', true],
  ['a blank line in an empty file', '', '\n', true],
  ['another letter of Latin-1', Buffer.of(0x27, 0xe9, 0x27), Buffer.of(0x27, 0xe8, 0x27), false],
  ['Latin-1 converted to UTF-8', Buffer.of(0xe9), 'é', false],
  ['the same bytes, of which the mode was asked for', 'a()\n', 'a()\n', false],
])('%s counts as a change of white space only: %s → %s: %s', (_edit, was, now, expected) => {
  expect(isBlankSince('a.js', Buffer.from(was as string), Buffer.from(now as string))).toBe(expected)
})
