import { expect, test } from 'vitest'
import { isBlankSince } from './blank-since.ts'

const POINTER =
  'version https://git-lfs.github.com/spec/v1\noid sha256:87428fc522803d31065e7bce3cf03fe475096631e5e07bbd7a0fde60c4cf25c7\nsize 2\n'

test.each([
  ['a Git LFS pointer', 'a\n', POINTER, true],
  ['the content of a pointer', POINTER, 'a\n', true],
  ['a pointer to other content', 'b\n', POINTER, false],
  ['a text that contains the hash', 'a\n', `// ${POINTER}`, false],
  ['a blank line', 'a()\n', 'a()\n\n', true],
  ['a blank line in an empty file', '', '\n', true],
  ['another Latin-1 letter', Buffer.of(0x27, 0xe9, 0x27), Buffer.of(0x27, 0xe8, 0x27), false],
  ['Latin-1 converted to UTF-8', Buffer.of(0xe9), 'é', false],
  ['equal bytes, as if only the mode changed', 'a()\n', 'a()\n', false],
])('%s counts as a change of white space only: %s → %s: %s', (_edit, was, now, expected) => {
  expect(isBlankSince('a.js', Buffer.from(was as string), Buffer.from(now as string))).toBe(expected)
})
