import { expect, test } from 'vitest'
import { isSameStop } from './same-stop.ts'

test.each([
  ['let go, called again by a second installation', { isSentBack: false }, { atMs: 1_000 }, true],
  ['let go, long ago', { isSentBack: false }, { atMs: 31_000 }, false],
  ['sent back, called again by a second installation', { isSentBack: true }, { atMs: 1_000 }, true],
  ['sent back, and stops again a while later', { isSentBack: true }, { atMs: 3_000 }, false],
  [
    'sent back, and its program has gone on since',
    { isSentBack: true, transcriptBytes: 10 },
    { atMs: 1_000, transcriptBytes: 11 },
    false,
  ],
  [
    'sent back, called again by a second installation of a program with a transcript',
    { isSentBack: true, transcriptBytes: 10 },
    { atMs: 1_000, transcriptBytes: 10 },
    true,
  ],
  [
    // This gains it two seconds, but it is still refused.
    'sent back, and cuts its transcript',
    { isSentBack: true, transcriptBytes: 10 },
    { atMs: 3_000, transcriptBytes: 1 },
    false,
  ],
  [
    'let go, and its program writes on',
    { isSentBack: false, transcriptBytes: 10 },
    { atMs: 1_000, transcriptBytes: 11 },
    true,
  ],
])('tells whether it is the same stop: an agent that was %s', (_what, answered, call, isSame) => {
  expect(
    isSameStop({ atMs: 0, transcriptBytes: null, ...answered }, { transcriptBytes: null, ...call }),
  ).toBe(isSame)
})
