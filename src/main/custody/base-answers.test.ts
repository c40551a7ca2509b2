import { expect, test } from 'vitest'
import { splitUndo } from './base-answers.ts'
import type { KeptAnswer } from './base-files.ts'
import type { GuardedFile, GuardedFiles } from './scan.ts'

const file = (content: string): GuardedFile => ({ content, state: 'unsettled' })
const files = (content: string | null): GuardedFiles =>
  new Map(content === null ? [] : [['a.test.js', file(content)]])

const left = new Map([['a.test.js', { file: file('agent'), attemptId: 'a-1' }]])
const base = new Map([['a.test.js', file('before')]])
const ACCEPTED: KeptAnswer = { base, left, files: new Map() }
const PUT_BACK: KeptAnswer = { base, left, files: new Map([['a.test.js', file('agent')]]) }

test.each<readonly [string, KeptAnswer, string | null, string | null, readonly string[]]>([
  ['an accepted file', ACCEPTED, 'agent', 'agent', []],
  ['an accepted file that the operator changed since', ACCEPTED, 'operator', 'operator', ['a.test.js']],
  ['a restored file', PUT_BACK, 'before', 'before', []],
  ['a file that could not be restored', PUT_BACK, 'before', 'agent', []],
  ['a restored file that the operator changed since', PUT_BACK, 'operator', 'operator', ['a.test.js']],
  ['a restored file that the operator deleted since', PUT_BACK, null, null, ['a.test.js']],
])('undoing an answer keeps what the operator has changed: %s', (_case, kept, baseline, now, changed) => {
  expect(splitUndo(kept, files(baseline), files(now)).changed).toEqual(changed)
})
