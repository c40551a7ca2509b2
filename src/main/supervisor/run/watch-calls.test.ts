import { expect, it } from 'vitest'
import type { AgentEvent } from '../../../core/activity/types.ts'
import { watchCalls } from './watch-calls.ts'

function call(status: 'started' | 'completed', callId: string | null = 'one'): AgentEvent {
  return { kind: 'tool', status, callId } as AgentEvent
}

it('finds no call if none was made', () => {
  expect(watchCalls().hasCalledSince(0)).toBe(false)
})

it('counts a call that is still open, however long ago it began', () => {
  const calls = watchCalls()
  calls.heard(call('started'))
  expect(calls.hasCalledSince(Number.POSITIVE_INFINITY)).toBe(true)
})

it('counts a call that was open at the time, even if it has ended since', () => {
  const calls = watchCalls()
  calls.heard(call('started'))
  const within = performance.now()
  calls.heard(call('completed'))
  expect(calls.hasCalledSince(within)).toBe(true)
  expect(calls.hasCalledSince(performance.now() + 1)).toBe(false)
})

it('counts a call that was reported only once, at its end', () => {
  const calls = watchCalls()
  const before = performance.now()
  calls.heard(call('completed', null))
  expect(calls.hasCalledSince(before)).toBe(true)
  expect(calls.hasCalledSince(performance.now() + 1)).toBe(false)
})
