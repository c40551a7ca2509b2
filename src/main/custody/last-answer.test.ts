import { expect, test } from 'vitest'
import type { WorkspaceState } from '../../core/record/state.ts'
import { lastAnswerTo } from './last-answer.ts'

const AT = '2026-11-21T10:00:00.000Z'
const after = { base: 'b', seen: 's' }
const state = (custody = after) =>
  ({
    lastAnswer: { id: 'p-1', file: 'HEARTBEAT.md', answer: 'accepted', items: [], at: AT, after },
    custody: { 'HEARTBEAT.md': custody },
  }) as unknown as WorkspaceState

const secondsLater = (seconds: number) => Date.parse(AT) + seconds * 1000

test('the last answer can be undone for a minute, plus a moment for a late click', () => {
  expect(lastAnswerTo(state(), 'p-1', secondsLater(60))).toMatchObject({ id: 'p-1' })
  expect(lastAnswerTo(state(), 'p-1', secondsLater(64))).toMatchObject({ id: 'p-1' })
  expect(() => lastAnswerTo(state(), 'p-1', secondsLater(66))).toThrow('Edit HEARTBEAT.md instead.')
})

test('no other answer can be undone, and none if its file has changed since', () => {
  expect(() => lastAnswerTo(state(), 'p-2', secondsLater(1))).toThrow('no answer to the proposal p-2')
  expect(() => lastAnswerTo(state({ base: 'b', seen: 'other' }), 'p-1', secondsLater(1))).toThrow(
    'has changed since the answer',
  )
})
