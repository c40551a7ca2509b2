import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../../core/activity/types.ts'
import { systemClock } from '../../host/system-clock.ts'
import type { AgentRequest, AgentRun, AgentRunner } from '../../ports/agent-runner.ts'
import type { Clock } from '../../ports/clock.ts'
import type { AgentConfig } from '../../ports/workspace-config.ts'
import { agentConfig } from '../testing/agent-config.ts'
import { createAcpRunner } from './acp-runner.ts'

const PUPPET = fileURLToPath(new URL('./testing/acp-two-puppet.mjs', import.meta.url))
const silent = { info: () => {}, warn: () => {}, error: () => {} }

/** In the format of a session update. */
const chunk = (messageId: string, text: string) => ({
  sessionUpdate: 'agent_message_chunk',
  messageId,
  content: { type: 'text', text },
})
const call = (fields: object) => ({ sessionUpdate: 'tool_call_update', ...fields })
const idle = (fields: object = { stopReason: 'end_turn' }) => ({
  sessionUpdate: 'state_update',
  state: 'idle',
  ...fields,
})
const options = [
  { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
]

describe('an agent that speaks version 2 of the protocol', () => {
  let folder: string
  let events: AgentEvent[]

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'pulseward-two-'))
    events = []
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const runner = (
    turns: readonly (readonly object[])[],
    config: Partial<AgentConfig> = {},
    speaks = 'two',
    clock: Pick<Clock, 'monotonicMs' | 'sleep'> = systemClock,
  ): AgentRunner =>
    createAcpRunner(
      agentConfig({
        kind: 'acp',
        acpVersion: 2,
        command: [process.execPath, PUPPET, speaks, ...turns.map((turn) => JSON.stringify(turn))],
        ...config,
      }),
      { clock, log: silent, version: '0.0.0', killGraceMs: 300 },
    )
  const request = (overrides: Partial<AgentRequest> = {}): AgentRequest => ({
    attemptId: '1-0-abcd',
    prompt: 'Do it.',
    directory: folder,
    timeoutMs: 20_000,
    logFile: join(folder, 'attempt.log'),
    signal: new AbortController().signal,
    onOutput: () => {},
    onEvent: (event) => events.push(event),
    ...overrides,
  })
  const run = (
    steps: readonly object[],
    config: Partial<AgentConfig> = {},
    overrides: Partial<AgentRequest> = {},
  ): Promise<AgentRun> => runner([steps], config).run(request(overrides))
  const ofKind = (kind: AgentEvent['kind']): AgentEvent[] => events.filter((event) => event.kind === kind)

  it('ends its turn when it is idle after its work, not when its prompt is accepted', async () => {
    const result = await run([chunk('a', 'Working. '), chunk('a', 'Done.'), idle()])
    expect(result).toMatchObject({ outcome: 'completed', said: 'Working. Done.' })
    expect(result.activity).toMatchObject({
      sessionId: 'two',
      version: '2.0.0',
      final: { status: 'success' },
    })
    expect(ofKind('unknown')).toEqual([])
  })

  it.each([
    [{ stopReason: 'max_tokens' }, 'error', /limit of tokens/],
    [{ stopReason: 'refusal' }, 'error', /refused to continue/],
    [{}, 'completed', /ended its turn/],
    [
      { stopReason: 'error', error: { code: -32_603, message: 'status 429 Too Many Requests' } },
      'unavailable',
      /rate limit/,
    ],
  ])('idle with %j is %s', async (state, outcome, words) => {
    expect(await run([chunk('a', 'Well.'), idle(state)])).toMatchObject({
      outcome,
      reason: expect.stringMatching(words),
    })
  })

  it('counts a message once if it arrives in pieces and then whole', async () => {
    const whole = (text: string) => ({
      sessionUpdate: 'agent_message',
      messageId: 'a',
      content: [{ type: 'text', text }],
    })
    const result = await run([chunk('a', 'I made '), whole('I made it.'), whole('I made it.'), idle()])
    expect(result.said).toBe('I made it.')
    expect(await run([whole('At once.'), idle()])).toMatchObject({ said: 'At once.' })
  })

  it('reports its files by operation, and its commands with the exit code of their terminal', async () => {
    const changes = [
      { operation: 'add', path: '/w/new.ts' },
      { operation: 'move', oldPath: '/w/a.ts', path: '/w/b.ts' },
    ]
    const diff = { type: 'diff', changes }
    await run([
      call({ toolCallId: 'e', kind: 'edit', status: 'completed', title: 'Edit', content: [diff] }),
      { sessionUpdate: 'terminal_update', terminalId: 't1', command: 'npm test', cwd: '/w' },
      call({ toolCallId: 'c', kind: 'execute', status: 'in_progress', title: 'Run' }),
      {
        sessionUpdate: 'tool_call_content_chunk',
        toolCallId: 'c',
        content: { type: 'terminal', terminalId: 't1' },
      },
      { sessionUpdate: 'terminal_output_chunk', terminalId: 't1', data: Buffer.from('x').toString('base64') },
      { sessionUpdate: 'terminal_update', terminalId: 't1', exitStatus: { exitCode: 1 } },
      call({ toolCallId: 'c', status: 'completed' }),
      idle(),
    ])
    expect(ofKind('edit')).toMatchObject([
      { path: '/w/new.ts', change: 'created', status: 'succeeded' },
      { path: '/w/b.ts', change: 'created' },
      { path: '/w/a.ts', change: 'deleted' },
    ])
    expect(ofKind('command').at(-1)).toMatchObject({ command: 'npm test', exitCode: 1 })
    expect(ofKind('unknown')).toEqual([])
  })

  it.each([
    ['a command', { type: 'command', command: 'rm -rf /', cwd: '/' }, 'execute:rm -rf /'],
    [
      'a tool call',
      {
        type: 'tool_call',
        toolCall: {
          toolCallId: 'e',
          kind: 'edit',
          status: 'paused',
          content: [{ type: 'diff', changes: [{ operation: 'modify', path: 'src/a.ts' }] }],
        },
      },
      'edit:src/a.ts',
    ],
  ])('gets only what it was granted when it asks for %s', async (_, subject, grant) => {
    const ask = { ask: { title: 'May I?', subject, options } }
    const result = await run([ask, idle()], { allow: ['edit:docs/**'] })
    expect(result).toMatchObject({ outcome: 'denied', said: '{"optionId":"no","outcome":"selected"}' })
    expect(ofKind('permission')).toMatchObject([{ decision: 'denied' }])
    expect(JSON.stringify(ofKind('permission'))).toContain(grant.split(':')[1])
    const granted = await run([ask, idle()], { allow: ['edit', 'execute'] })
    // No `allow` entry covers anything outside the workspace.
    expect(granted.outcome).toBe(subject.type === 'command' ? 'denied' : 'completed')
  })

  it('takes a further prompt in its session', async () => {
    const two = runner([
      [chunk('a', 'One.'), idle()],
      [chunk('b', 'Two.'), idle()],
    ])
    const first = await two.run(request({ keepSession: true }))
    const second = await two.followUp?.(request({ prompt: 'Again.' }))
    expect([first.said, second?.said]).toEqual(['One.', 'Two.'])
  })

  it('is asked to cancel at its timeout', async () => {
    const limitMs = 20_000
    let isWaiting: () => void = () => {}
    const waiting = new Promise<void>((resolve) => {
      isWaiting = resolve
    })
    // Reach the timeout only once it waits, however slow this machine is.
    const sleep: typeof systemClock.sleep = (ms, signal) =>
      ms === limitMs ? waiting : systemClock.sleep(ms, signal)
    const onOutput = ({ text }: { readonly text: string }): void => {
      if (text.includes('Waiting.')) isWaiting()
    }
    const turn = [chunk('a', 'Waiting.'), { hang: true }]
    const result = await runner([turn], {}, 'two', { ...systemClock, sleep }).run(
      request({ timeoutMs: limitMs, onOutput }),
    )
    expect(result).toMatchObject({ outcome: 'timeout', said: expect.stringContaining('Breaking off.') })
  })

  it('is put into the mode in which it asks for permission, and is given its server', async () => {
    const result = await run(
      [idle()],
      { preset: 'qwen' },
      { mcpServers: [{ name: 'pulseward', command: '/bin/x', args: [], env: {} }] },
    )
    expect(result.stderr.text).toContain('set how default')
    expect(result.stderr.text).toContain('servers: stdio pulseward')
    expect(ofKind('warning')).toEqual([])
  })

  const terminal = { sessionUpdate: 'terminal_update', terminalId: 't1', command: 'npm test', cwd: '/w' }
  const background = [{ type: 'terminal', terminalId: 't1' }]

  it('does not end its turn while its background work continues', async () => {
    const result = await run([
      terminal,
      chunk('a', 'The tests run. '),
      idle({ stopReason: 'end_turn', background }),
      { ...terminal, exitStatus: { exitCode: 1 } },
      // The same state again, with the work still listed, does not end the turn.
      idle({ background }),
      chunk('b', 'They failed.'),
      idle({ background: [] }),
    ])
    expect(result).toMatchObject({ outcome: 'completed', said: 'The tests run. \n\nThey failed.' })
  })

  it('continues its turn with the results of its background work', async () => {
    const result = await run([
      terminal,
      idle({ stopReason: 'max_tokens', background }),
      { sessionUpdate: 'state_update', state: 'running', background: [] },
      chunk('b', 'Mended.'),
      idle({ stopReason: 'end_turn', background: [] }),
    ])
    expect(result).toMatchObject({ outcome: 'completed', said: 'Mended.' })
  })

  it('ends its turn if its background work is a server that prints nothing', async () => {
    const quietMs = 120_000
    const sleep: typeof systemClock.sleep = (ms, signal) =>
      ms === quietMs ? Promise.resolve() : systemClock.sleep(ms, signal)
    const turn = [chunk('a', 'It serves.'), idle({ stopReason: 'end_turn', background })]
    const result = await runner([turn], {}, 'two', { ...systemClock, sleep }).run(request())
    expect(result).toMatchObject({ outcome: 'completed', said: 'It serves.' })
    expect(ofKind('warning')).toMatchObject([
      { text: expect.stringContaining('background work has reported nothing') },
    ])
  })

  it.each(['fs/read_text_file', 'fs/write_text_file', 'terminal/create', 'terminal/output', 'terminal/kill'])(
    'is refused %s',
    async (method) => {
      const result = await run([{ request: method }, idle()], { allow: ['edit', 'execute', 'read'] })
      expect(result.said).toBe('-32601')
    },
  )

  it.each([
    [1, 'both', 'By version 1.'],
    [2, 'both', 'By version 2.'],
  ] as const)(
    'is addressed in version %s as configured if it speaks %s',
    async (acpVersion, speaks, said) => {
      const result = await runner([[chunk('a', 'By version 2.'), idle()]], { acpVersion }, speaks).run(
        request(),
      )
      expect(result).toMatchObject({ outcome: 'completed', said })
    },
  )

  it.each([
    [1, 'two', 'needs acp_version = 2'],
    [2, 'one', 'acp_version = 2 is for programs that speak that draft'],
  ] as const)(
    'does not work if it is addressed in version %s and only speaks version %s, and the remedy names the flag',
    async (acpVersion, speaks, remedy) => {
      expect(await runner([[idle()]], { acpVersion }, speaks).run(request())).toMatchObject({
        outcome: 'unavailable',
        remedy: expect.stringContaining(remedy),
      })
    },
  )
})
