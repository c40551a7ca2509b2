import { describe, expect, it } from 'vitest'
import type { PresetId } from '../../../core/agents/programs.ts'
import { createStreamReader } from './read-stream.ts'

function read(program: PresetId, words: readonly string[], ...events: object[]) {
  const reader = createStreamReader(program, () => {}, words)
  for (const event of events) reader.stdout(`${JSON.stringify(event)}\n`)
  reader.end()
  return reader.reading()
}

describe('a program that we killed', () => {
  it('has not ended its turn, even if it says so after being told to stop', () => {
    const reader = createStreamReader('copilot')
    reader.stdout(`${JSON.stringify({ type: 'assistant.message', data: { content: 'On it.' } })}\n`)
    reader.interrupt()
    reader.stdout(`${JSON.stringify({ type: 'abort', data: { reason: 'signal' } })}\n`)
    reader.stdout(`${JSON.stringify({ type: 'result', sessionId: 's', exitCode: 0 })}\n`)
    reader.end()
    expect(reader.reading()).toMatchObject({ final: null, activity: { final: null, sessionId: 's' } })
  })

  it('keeps the end of a turn that it had reached before', () => {
    const reader = createStreamReader('copilot')
    reader.stdout(`${JSON.stringify({ type: 'result', sessionId: 's', exitCode: 0 })}\n`)
    reader.interrupt()
    reader.stdout(`${JSON.stringify({ type: 'result', sessionId: 's', exitCode: 1 })}\n`)
    reader.end()
    expect(reader.reading().final).toMatchObject({ status: 'success' })
  })

  it('counts the tokens of its messages, each once, until its last event gives the total', () => {
    const message = (id: string, output: number) => ({
      type: 'assistant',
      message: {
        id,
        model: 'm',
        content: [{ type: 'text', text: 'x' }],
        usage: { input_tokens: 10, cache_read_input_tokens: 90, output_tokens: output },
      },
    })
    const killed = [message('a', 1), message('a', 7), message('b', 3)]
    expect(read('claude', [], ...killed).activity.usage).toEqual({
      inputTokens: 200,
      outputTokens: 10,
      cachedInputTokens: 180,
      costUsd: null,
    })
    const usage = { input_tokens: 5, output_tokens: 4 }
    const result = { type: 'result', subtype: 'success', total_cost_usd: 0.1, usage }
    expect(read('claude', [], ...killed, result).activity.usage).toMatchObject({
      inputTokens: 5,
      costUsd: 0.1,
    })
  })
})

describe('a service that refuses', () => {
  const limit = { status: 'rejected', resetsAt: 1795285800, rateLimitType: 'five_hour' }
  const failed = (words: string) => ({ type: 'result', is_error: true, result: words })

  it('says when it accepts requests again, in a separate event from its message', () => {
    const events = [{ type: 'rate_limit_event', rate_limit_info: limit }, failed("You've hit your limit")]
    expect(read('claude', [], ...events).final).toMatchObject({
      status: 'rate-limited',
      resetsAtMs: 1_795_285_800_000,
    })
  })

  it('refuses no request if its limits are only mentioned', () => {
    const told = { type: 'rate_limit_event', rate_limit_info: { ...limit, status: 'allowed_warning' } }
    const { final } = read('claude', [], told, failed('429 Too Many Requests'))
    expect(final).toMatchObject({ status: 'rate-limited' })
    expect(final).not.toHaveProperty('resetsAtMs')
  })

  it('is reported only on stderr by Gemini while it retries', () => {
    const reader = createStreamReader('gemini')
    reader.stderr(
      'Attempt 3 failed with status 500. Retrying with backoff... _ApiError: {"error":{}}\n    at throwErrorIfNotOK (file:///x)\n',
    )
    expect(reader.reading().struggling).toContain('status 500')
  })

  it("is reported only in OpenCode's log, and only for requests about the work", () => {
    const line = (small: boolean, error: string) =>
      `timestamp=2026-11-22T05:19:06.985Z level=ERROR run=024d message="stream error" providerID=p modelID=m session.id=s small=${small} agent=build mode=primary error.error="${error}"\n`
    const reader = createStreamReader('opencode')
    reader.stderr(line(true, 'AI_RetryError: Failed after 3 attempts'))
    expect(reader.reading().struggling).toBeNull()
    reader.stderr(line(false, 'AI_APICallError: the \\"service\\" is down for a moment'))
    expect(reader.reading().struggling).toContain('down for a moment')
    reader.stdout('{"type":"text","sessionID":"ses_1","part":{"text":"On it."}}\n')
    expect(reader.reading().struggling).toBeNull()
  })
})

describe('a refused tool', () => {
  const written = (output: string, status = 'failed') => ({
    type: 'item.completed',
    item: {
      id: 'i',
      type: 'command_execution',
      command: "/bin/bash -lc 'echo x > a.md'",
      exit_code: 1,
      status,
      aggregated_output: output,
    },
  })
  const readOnly = ['exec', '-s', 'read-only', '-']

  it('names the missing grant if Codex’s read-only sandbox refused it', () => {
    expect(read('codex', readOnly, written('bash: a.md: Read-only file system')).denials).toMatchObject([
      { tool: 'edit', target: 'echo x > a.md', grant: 'edit' },
    ])
  })

  it.each([
    ['if it may write', ['exec', '-s', 'workspace-write', '-'], written('a.md: Read-only file system')],
    ['if it failed for another reason', readOnly, written('bash: a.md: Is a directory')],
    ['if it succeeded', readOnly, written('cat: Read-only file system', 'completed')],
  ])('is not assumed %s', (_where, words, event) => {
    expect(read('codex', words, event).denials).toEqual([])
  })

  it('does not matter if it is our server’s', () => {
    const denial = (tool_name: string) => ({
      type: 'result',
      subtype: 'success',
      permission_denials: [{ tool_name, tool_use_id: tool_name, tool_input: {} }],
    })
    expect(read('claude', [], denial('mcp__pulseward__report_task')).denials).toEqual([])
    expect(read('claude', [], denial('mcp__mail__send')).denials).toHaveLength(1)
  })
})

it('does not count Copilot’s shell output as an unknown event', () => {
  const { activity } = read('copilot', [], {
    type: 'tool.shell_output',
    data: { toolCallId: 'c', output: 'x' },
  })
  expect(activity.unknownEvents).toEqual({})
})
