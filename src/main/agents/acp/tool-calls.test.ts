import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../../core/activity/types.ts'
import { UpdateReader } from './read-updates.ts'
import { eventsOf, ToolCalls } from './tool-calls.ts'

/* As programs were seen to tell their calls: what runs is read from where each of them puts it. */

const text = (words: string) => ({ type: 'content', content: { type: 'text', text: words } })

function told(...updates: readonly Record<string, unknown>[]): readonly AgentEvent[] {
  const calls = new ToolCalls()
  return updates.flatMap((update) => {
    const call = calls.merge({ toolCallId: 'c', ...update })
    return call === null ? [] : eventsOf(call)
  })
}

describe('a command', () => {
  it('that is asked for under the name of its tool stands as JSON in the text: that is the command', () => {
    const asked = {
      title: 'Bash',
      kind: 'execute',
      content: [text('{"command": "npm test", "timeout": 60}')],
    }
    expect(told(asked)).toMatchObject([{ kind: 'command', command: 'npm test', status: 'started' }])
    const fenced = { ...asked, content: [text('```json\n{"command": "npm test"}\n```')] }
    expect(told(fenced)).toMatchObject([{ command: 'npm test' }])
  })

  it('that has a name alone at first is not shown before it is known', () => {
    const begun = { title: 'Terminal', kind: 'execute', status: 'pending' }
    expect(told(begun)).toEqual([])
    expect(told(begun, { rawInput: { command: 'ls' } })).toMatchObject([{ command: 'ls' }])
    expect(told(begun, { title: '`ls -l`' })).toMatchObject([{ command: 'ls -l' }])
  })

  it.each([
    ['as a field', { exitCode: 1 }],
    ['as a field of another name', { metadata: { exit: 1 } }],
    ['at the head of its text', 'Exit code 1\nFAIL a.test.ts'],
    ['in content of its protocol', [text('Exit code 1\nFAIL a.test.ts')]],
    ['in text of its own kind', [{ type: 'text', text: 'Error: Exit code 1' }]],
  ])('has its exit code %s', (_where, rawOutput) => {
    const [, ended] = told(
      { kind: 'execute', rawInput: { command: 'npm test' } },
      { status: 'completed', rawOutput },
    )
    expect(ended).toMatchObject({ kind: 'command', exitCode: 1 })
  })

  it.each([
    ['prints about exit codes', [text('The script ends with Exit code 1')]],
    ['prints nothing', []],
    ['prints what is no text', 7],
  ])('has none where it %s', (_what, rawOutput) => {
    const [, ended] = told(
      { kind: 'execute', rawInput: { command: 'npm test' } },
      { status: 'completed', rawOutput },
    )
    expect(ended).toMatchObject({ kind: 'command', exitCode: null })
  })
})

it('what came from a cache counts among the tokens of a turn', () => {
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
