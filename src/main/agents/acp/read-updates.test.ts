import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../../core/activity/types.ts'
import { UpdateReader, type UpdateSink } from './read-updates.ts'
import { ToolCalls } from './tool-calls.ts'

it('adds up the tokens that a program reports per model request, along with an empty message', () => {
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

describe('an action carried out through us', () => {
  function readerOf(sink: Partial<UpdateSink> = {}) {
    const events: AgentEvent[] = []
    const reader = new UpdateReader(
      {
        emit: (event) => void events.push(event),
        say: () => {},
        isTerminal: (id) => id === 'terminal-1',
        wasWritten: (path) => path === 'notes.md',
        ...sink,
      },
      new ToolCalls(),
    )
    const tell = (call: Record<string, unknown>) => reader.read({ sessionUpdate: 'tool_call', ...call })
    return { events, tell }
  }
  const command = { toolCallId: 'c', kind: 'execute', rawInput: { command: 'npm test' } }
  const inTerminal = (terminalId: string) => ({ content: [{ type: 'terminal', terminalId }] })
  const edit = { toolCallId: 'e', kind: 'edit', locations: [{ path: 'notes.md' }] }

  it('is not reported again if it is a command in our terminal or a file that we wrote', () => {
    const { events, tell } = readerOf()
    tell({ ...command, ...inTerminal('terminal-1'), status: 'completed' })
    tell({ ...edit, status: 'completed' })
    expect(events).toEqual([])
  })

  it('is distinguished from a command in another terminal, one reported before, and a failed write', () => {
    const { events, tell } = readerOf()
    tell({ ...command, ...inTerminal('of-its-own'), status: 'completed' })
    tell({ ...command, toolCallId: 'd', status: 'in_progress' })
    tell({ toolCallId: 'd', ...inTerminal('terminal-1'), status: 'completed' })
    tell({ ...edit, status: 'failed' })
    expect(events.map((event) => 'status' in event && event.status)).toEqual([
      'succeeded',
      'started',
      'succeeded',
      'failed',
    ])
  })

  it('does not hide the agent’s other edits of that file', () => {
    const written = new Set(['notes.md'])
    const { events, tell } = readerOf({ wasWritten: (path) => written.delete(path) })
    tell({ ...edit, status: 'completed' })
    tell({ ...edit, toolCallId: 'f', status: 'completed' })
    expect(events).toHaveLength(1)
  })
})
