import { expect, it } from 'vitest'
import type { AgentEvent } from '../../../core/activity/types.ts'
import { UpdateReader } from './read-updates.ts'
import { ToolCalls } from './tool-calls.ts'

it('sums up what a program tells of each question to its model beside an empty message', () => {
  const events: AgentEvent[] = []
  const said: string[] = []
  const reader = new UpdateReader(
    { emit: (event) => void events.push(event), say: (text) => void said.push(text) },
    new ToolCalls(),
  )
  const told = (text: string, usage?: Record<string, unknown>) =>
    reader.read({
      sessionUpdate: 'agent_message_chunk',
      content: { type: 'text', text },
      ...(usage && { _meta: { usage, durationMs: 12 } }),
    })
  told('', { inputTokens: 100, outputTokens: 20, totalTokens: 120, cachedReadTokens: 60 })
  told('All done.')
  told('', { inputTokens: 150, outputTokens: 5, totalTokens: 155 })
  told('', { inputTokens: 'many', outputTokens: -1 })
  reader.endTurn(undefined)
  expect(events.filter(({ kind }) => kind === 'usage').at(-1)).toEqual({
    kind: 'usage',
    usage: { inputTokens: 250, outputTokens: 25, cachedInputTokens: 60, costUsd: null },
  })
  expect(said.join('')).toBe('All done.')
})
