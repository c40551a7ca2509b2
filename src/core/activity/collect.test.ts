import { expect, it } from 'vitest'
import { createActivityCollector } from './collect.ts'
import type { AgentEvent } from './types.ts'

function collect(...events: readonly AgentEvent[]) {
  const collector = createActivityCollector()
  for (const event of events) collector.add(event)
  return collector.activity()
}

const command = (callId: string | null, status: 'started' | 'succeeded', text = 'ls'): AgentEvent => ({
  kind: 'command',
  callId,
  tool: 'shell',
  command: text,
  exitCode: null,
  status,
})
const denial: AgentEvent = {
  kind: 'permission',
  tool: 'edit',
  target: 'a.md',
  decision: 'denied',
  by: 'policy',
  grant: 'edit',
}

it('is empty for a run that reported nothing', () => {
  expect(collect()).toEqual({
    sessionId: null,
    model: null,
    version: null,
    usage: null,
    calls: [],
    omittedCalls: 0,
    unknownEvents: {},
    final: null,
  })
})

it('keeps the newest state of a call in its first position, and keeps calls without an id separate', () => {
  const { calls } = collect(
    command('a', 'started'),
    command(null, 'started'),
    command('a', 'succeeded'),
    command(null, 'succeeded'),
  )
  expect(calls).toEqual([command('a', 'succeeded'), command(null, 'started'), command(null, 'succeeded')])
})

it('uses the newest number of each kind of usage', () => {
  const nothing = { inputTokens: null, outputTokens: null, cachedInputTokens: null, costUsd: null }
  const { usage } = collect(
    { kind: 'usage', usage: { ...nothing, inputTokens: 5, costUsd: 0.1 } },
    { kind: 'usage', usage: { ...nothing, inputTokens: 9, outputTokens: 2 } },
  )
  expect(usage).toEqual({ inputTokens: 9, outputTokens: 2, cachedInputTokens: null, costUsd: 0.1 })
})

it('keeps 200 calls, refusals before all others, and counts what it leaves out', () => {
  const many = Array.from({ length: 300 }, (_, index) => command(`c${index}`, 'succeeded', `run ${index}`))
  const { calls, omittedCalls } = collect(denial, ...many)
  expect(calls).toHaveLength(200)
  expect(omittedCalls).toBe(101)
  expect(calls[0]).toEqual(denial)
  expect(calls.at(-1)).toEqual(many.at(-1))
})

it('counts events of unknown kinds by type, and excess types together', () => {
  const unknown = (type: string): AgentEvent => ({ kind: 'unknown', type, text: '' })
  expect(collect(unknown('a'), unknown('b'), unknown('a')).unknownEvents).toEqual({ a: 2, b: 1 })
  const many = Array.from({ length: 80 }, (_, index) => unknown(`type-${index}`))
  expect(collect(...many).unknownEvents).toMatchObject({ 'type-49': 1, other: 30 })
})

it('keeps the author of each text, and the ending that the program reports', () => {
  expect(
    collect(
      { kind: 'session', sessionId: 's', model: null, version: '1.2' },
      { kind: 'session', sessionId: 's', model: 'm', version: null },
      { kind: 'message', text: 'hello' },
      { kind: 'final', status: 'success', reason: 'end_turn' },
    ),
  ).toMatchObject({
    sessionId: 's',
    model: 'm',
    version: '1.2',
    final: { status: 'success', reason: 'end_turn' },
  })
})

it('ignores impossibly large figures, so that sums stay finite', () => {
  const told = {
    inputTokens: 1e308,
    outputTokens: Number.POSITIVE_INFINITY,
    cachedInputTokens: 7,
    costUsd: 1e308,
  }
  expect(collect({ kind: 'usage', usage: told }).usage).toEqual({
    inputTokens: null,
    outputTokens: null,
    cachedInputTokens: 7,
    costUsd: null,
  })
})
