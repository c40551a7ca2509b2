import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../../core/activity/types.ts'
import { UpdateReader } from './read-updates.ts'
import { eventsOf, ToolCalls } from './tool-calls.ts'

/* Tool calls as real programs report them: each program puts the command in another place. */

const text = (words: string) => ({ type: 'content', content: { type: 'text', text: words } })

function told(...updates: readonly Record<string, unknown>[]): readonly AgentEvent[] {
  const calls = new ToolCalls()
  return updates.flatMap((update) => {
    const call = calls.merge({ toolCallId: 'c', ...update })
    return call === null ? [] : eventsOf(call)
  })
}

describe('a command', () => {
  it("is read from JSON in the text if it is requested under its tool's name", () => {
    const asked = {
      title: 'Bash',
      kind: 'execute',
      content: [text('{"command": "npm test", "timeout": 60}')],
    }
    expect(told(asked)).toMatchObject([{ kind: 'command', command: 'npm test', status: 'started' }])
    const fenced = { ...asked, content: [text('```json\n{"command": "npm test"}\n```')] }
    expect(told(fenced)).toMatchObject([{ command: 'npm test' }])
  })

  it('is not shown before it is known, if at first it has only a name', () => {
    const begun = { title: 'Terminal', kind: 'execute', status: 'pending' }
    expect(told(begun)).toEqual([])
    expect(told(begun, { rawInput: { command: 'ls' } })).toMatchObject([{ command: 'ls' }])
    expect(told(begun, { title: '`ls -l`' })).toMatchObject([{ command: 'ls -l' }])
  })

  it.each([
    ['as a field', { exitCode: 1 }],
    ['as a field with another name', { metadata: { exit: 1 } }],
    ['at the start of its text', 'Exit code 1\nFAIL a.test.ts'],
    ['in content of its protocol', [text('Exit code 1\nFAIL a.test.ts')]],
    ['in a custom text item', [{ type: 'text', text: 'Error: Exit code 1' }]],
  ])('has an exit code if it is given %s', (_where, rawOutput) => {
    const [, ended] = told(
      { kind: 'execute', rawInput: { command: 'npm test' } },
      { status: 'completed', rawOutput },
    )
    expect(ended).toMatchObject({ kind: 'command', exitCode: 1 })
  })

  it.each([
    ['prints about exit codes', [text('The script ends with Exit code 1')]],
    ['prints nothing', []],
    ['prints something that is not text', 7],
  ])('has no exit code if it %s', (_what, rawOutput) => {
    const [, ended] = told(
      { kind: 'execute', rawInput: { command: 'npm test' } },
      { status: 'completed', rawOutput },
    )
    expect(ended).toMatchObject({ kind: 'command', exitCode: null })
  })
})

it('counts cached tokens as input tokens of a turn', () => {
  const events: AgentEvent[] = []
  const reader = new UpdateReader(
    { emit: (event) => void events.push(event), say: () => {} },
    new ToolCalls(),
  )
  reader.endTurn({ inputTokens: 3, cachedReadTokens: 900, cachedWriteTokens: 90, outputTokens: 7 })
  expect(events).toEqual([
    {
      kind: 'usage',
      usage: { inputTokens: 993, outputTokens: 7, cachedInputTokens: 900, costUsd: null },
    },
  ])
})
