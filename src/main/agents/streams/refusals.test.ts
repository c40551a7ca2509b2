import { expect, it } from 'vitest'
import type { PresetId } from '../../../core/agents/programs.ts'
import { failureStatus } from '../../../core/agents/streams/failure.ts'
import { createStreamReader } from './read-stream.ts'

function read(program: PresetId, ...events: object[]) {
  const reader = createStreamReader(program)
  reader.stdout(events.map((event) => `${JSON.stringify(event)}\n`).join(''))
  reader.end()
  return reader.reading()
}

const edit = (id: string, status: string, error?: string) => ({
  type: 'tool_use',
  part: { tool: 'write', callID: id, state: { status, input: { filePath: 'a.md' }, error } },
})

it('counts a configured rule as a refusal, but not any other tool error', () => {
  const rule = 'The user has specified a rule which prevents you from using this specific tool call.'
  expect(read('opencode', edit('1', 'error', rule)).denials).toMatchObject([{ tool: 'edit', grant: 'edit' }])
  expect(read('opencode', edit('1', 'error', 'no space left')).denials).toEqual([])
})

it('ignores a refusal if the same call was granted at the next try', () => {
  const refused = edit('1', 'error', 'The user rejected permission to use this specific tool call.')
  const reading = read('opencode', refused, edit('2', 'completed'))
  expect(reading.denials).toEqual([])
  expect(reading.activity.calls.filter(({ kind }) => kind === 'permission')).toHaveLength(1)
})

it('counts a confirmation that no one can give as a refusal, with the command that needs it', () => {
  const { denials } = read(
    'gemini',
    { type: 'tool_use', tool_name: 'run_shell_command', tool_id: 'g', parameters: { command: 'npm test' } },
    {
      type: 'tool_result',
      tool_id: 'g',
      status: 'error',
      error: { message: 'Tool execution for "Shell" requires user confirmation' },
    },
  )
  expect(denials).toMatchObject([{ tool: 'execute', target: 'npm test', grant: 'execute:npm test' }])
})

it('asks for all commands if one is too long or has several lines', () => {
  const command = (text: string) =>
    read('claude', {
      type: 'result',
      permission_denials: [{ tool_name: 'Bash', tool_use_id: 't', tool_input: { command: text } }],
    }).denials[0]?.grant
  expect(command('npm test')).toBe('execute:npm test')
  expect(command('npm test\nrm x')).toBe('execute')
  expect(command('x'.repeat(201))).toBe('execute')
})

it('does not attribute synthetic messages and those of subagents to the agent', () => {
  const speak = (text: string, extra: object, model = 'm') => ({
    type: 'assistant',
    message: { model, content: [{ type: 'text', text }] },
    ...extra,
  })
  const { said } = read(
    'claude',
    speak('API Error: 500', {}, '<synthetic>'),
    speak('EXIT_SIGNAL: true', { parent_tool_use_id: 'a-subagent' }),
    speak('Not done.', {}),
  )
  expect(said.trim()).toBe('Not done.')
})

it.each([
  ['unexpected status 403 Forbidden', null, 'unauthenticated'],
  ['anything', 429, 'rate-limited'],
  ['Credit balance is too low', null, 'rate-limited'],
  ['API Error: 529 overloaded', null, 'service-error'],
  ['stream disconnected before completion', null, 'service-error'],
  ['Reached maximum number of turns (3)', null, 'limit'],
  ['the tests of login.ts fail', null, 'error'],
  ['', null, 'error'],
] as const)('classifies %j with status %j: %s', (message, status, expected) => {
  expect(failureStatus(message, status)).toBe(expected)
})
