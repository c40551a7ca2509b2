import { expect, it } from 'vitest'
import { rowsOf } from './session-words.ts'

it('shows a session that needs a decision before those that run, however old it is', () => {
  const running = { running: true, needsDecision: false }
  const old = { running: false, needsDecision: true }
  const ended = { running: false, needsDecision: false }
  expect(rowsOf([...Array(20).fill(running), ended, old])).toEqual([old, ...Array(4).fill(running)])
})
