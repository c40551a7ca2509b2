import { expect, test } from 'vitest'
import { isSameStop } from './same-stop.ts'

test.each([
  ['let go and called again by a second installation', { isSentBack: false }, { atMs: 1_000 }, true],
  ['let go long ago', { isSentBack: false }, { atMs: 31_000 }, false],
  ['sent back and called again by a second installation', { isSentBack: true }, { atMs: 1_000 }, true],
  ['sent back and stops again later', { isSentBack: true }, { atMs: 3_000 }, false],
  [
    'sent back and has continued since',
    { isSentBack: true, transcriptBytes: 10 },
    { atMs: 1_000, transcriptBytes: 11 },
    false,
  ],
  [
    'sent back and called again by a second installation, with a transcript',
    { isSentBack: true, transcriptBytes: 10 },
    { atMs: 1_000, transcriptBytes: 10 },
    true,
  ],
  [
    // This gains it two seconds, but it is still refused.
    'sent back and truncates its transcript',
    { isSentBack: true, transcriptBytes: 10 },
    { atMs: 3_000, transcriptBytes: 1 },
    false,
  ],
  [
    'let go and keeps writing',
    { isSentBack: false, transcriptBytes: 10 },
    { atMs: 1_000, transcriptBytes: 11 },
    true,
  ],
])('tells whether it is the same stop: an agent that was %s', (_what, answered, call, isSame) => {
  expect(
    isSameStop({ atMs: 0, transcriptBytes: null, ...answered }, { transcriptBytes: null, ...call }),
  ).toBe(isSame)
})
