import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../../core/activity/types.ts'
import { systemClock } from '../../host/system-clock.ts'
import type { AgentRequest, AgentRun, AgentRunner } from '../../ports/agent-runner.ts'
import type { AgentConfig } from '../../ports/workspace-config.ts'
import { createTestMark, type TestMark, until } from '../../process/testing/running-processes.ts'
import { agentConfig } from '../testing/agent-config.ts'
import { describeAgentRunner } from '../testing/agent-runner-contract.ts'
import { createAcpRunner } from './acp-runner.ts'

const PUPPET = fileURLToPath(new URL('./testing/acp-puppet.mjs', import.meta.url))
const silent = { info: () => {}, warn: () => {}, error: () => {} }
const dependencies = { clock: systemClock, log: silent, version: '0.0.0', killGraceMs: 300 }

describeAgentRunner(
  'an ACP agent',
  (behaviour, { env, killGraceMs, passEnvironment }, program = process.execPath) =>
    createAcpRunner(
      agentConfig({ id: 'puppet', kind: 'acp', command: [program, PUPPET, behaviour], env, passEnvironment }),
      { ...dependencies, killGraceMs },
    ),
  { denials: true, exitCodes: true },
)

describe('an ACP agent', () => {
  let directory: string
  let data: string
  let mark: TestMark
  let events: AgentEvent[]

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'pulseward-workspace-'))
    data = mkdtempSync(join(tmpdir(), 'pulseward-data-'))
    mark = createTestMark()
    events = []
  })
  afterEach(() => {
    const left = mark.running()
    mark.endAll()
    for (const folder of [directory, data]) rmSync(folder, { recursive: true, force: true })
    expect(left, 'processes left running').toEqual([])
  })

  const runner = (turns: readonly string[], config: Partial<AgentConfig> = {}): AgentRunner =>
    createAcpRunner(
      agentConfig({ kind: 'acp', command: [process.execPath, PUPPET, ...turns], env: mark.env, ...config }),
      dependencies,
    )
  const request = (overrides: Partial<AgentRequest> = {}): AgentRequest => ({
    attemptId: '1-0-abcd',
    prompt: 'Do it.',
    directory,
    timeoutMs: 20_000,
    logFile: join(data, '1-0-abcd.log'),
    signal: new AbortController().signal,
    onOutput: () => {},
    onEvent: (event) => events.push(event),
    ...overrides,
  })
  const run = (
    turn: string,
    config: Partial<AgentConfig> = {},
    overrides: Partial<AgentRequest> = {},
  ): Promise<AgentRun> => runner([turn], config).run(request(overrides))
  const ofKind = (kind: AgentEvent['kind']): AgentEvent[] => events.filter((event) => event.kind === kind)

  describe('the end of its turn', () => {
    it.each([
      ['end_turn', 'completed', /ended its turn/, 'success'],
      ['max_tokens', 'error', /limit of tokens/, 'limit'],
      ['max_turn_requests', 'error', /limit of requests/, 'limit'],
      ['refusal', 'error', /refused to continue/, 'error'],
      ['cancelled', 'error', /canceled its turn/, 'interrupted'],
      ['bored', 'error', /unknown reason: bored/, 'error'],
    ])('%s is %s', async (reason, outcome, words, final) => {
      const result = await run(`say:Well|stop:${reason}`)
      expect(result).toMatchObject({ outcome, reason: expect.stringMatching(words), said: 'Well' })
      expect(result.activity).toMatchObject({
        sessionId: 'puppet-session',
        version: '7.0.0',
        final: { status: final },
      })
    })

    it('fails with the agent’s error message if it answers with an error', async () => {
      expect(await run('fail:-32603:the model is on fire')).toMatchObject({
        outcome: 'error',
        reason: expect.stringContaining('the model is on fire'),
      })
    })

    it('reports its tokens', async () => {
      expect((await run('say:x')).activity?.usage).toMatchObject({ inputTokens: 20, outputTokens: 10 })
    })

    it('cancels cleanly at its timeout if the agent can', async () => {
      const result = await run('cancel-in-order', {}, { timeoutMs: 1500 })
      expect(result).toMatchObject({ outcome: 'timeout', said: 'Breaking off.' })
    })
  })

  describe('an agent whose service fails, and which ends its turn as if nothing were wrong', () => {
    const saying = (text: string): string =>
      `update:${JSON.stringify({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } })}`
    const broken = JSON.stringify({
      sessionUpdate: 'session_info_update',
      _meta: { codex: { threadStatus: { type: 'systemError' } } },
    })
    const retrying = JSON.stringify({
      sessionUpdate: 'session_info_update',
      _meta: { codex: { error: { message: 'Reconnecting... 1/1', additionalDetails: 'status 503' } } },
    })

    it.each([
      [
        'codex',
        `say:A warning.|update:${broken}|say:exceeded retry limit, last status: 429 Too Many Requests`,
        /rate limit.*429/,
      ],
      [
        'codex',
        `update:${retrying}|update:${broken}|say:unexpected status 503 Service Unavailable`,
        /internal error.*503/,
      ],
      [
        'copilot',
        saying('Error: Authentication failed with provider (HTTP 401).\n  Check your key.'),
        /not logged in.*401/,
      ],
      [
        'copilot',
        `${saying('Info: Request failed due to a transient API error. Retrying...')}|${saying('Error: Failed to get response from the AI model; retried 5 times Last error: 500 mock')}`,
        /internal error/,
      ],
    ] as const)('is unavailable: %s %s', async (preset, turn, reason) => {
      expect(await run(turn, { preset })).toMatchObject({
        outcome: 'unavailable',
        reason: expect.stringMatching(reason),
      })
    })

    it.each([
      ['copilot', saying('All done. Error: HTTP 401 is now handled.')],
      ['copilot', saying('Error: the parser was wrong, I repaired it.')],
      ['codex', 'say:unexpected status 503 Service Unavailable'],
      [null, saying('Error: HTTP 401')],
      [
        'copilot',
        `update:${JSON.stringify({ sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Edit', kind: 'edit', status: 'completed', locations: [{ path: 'a' }] })}|${saying('Error: HTTP 401')}`,
      ],
    ] as const)('counts as completed otherwise: %s %s', async (preset, turn) => {
      expect((await run(turn, { preset })).outcome).toBe('completed')
    })

    it('is unavailable too if it retries until its timeout', async () => {
      const stuck = await run(`update:${retrying}|hang-silently`, { preset: 'codex' }, { timeoutMs: 1500 })
      expect(stuck).toMatchObject({ outcome: 'unavailable', reason: expect.stringContaining('503') })
      const atWork = await run(
        `say:On it.|update:${retrying}|hang-silently`,
        { preset: 'codex' },
        { timeoutMs: 1500 },
      )
      expect(atWork.outcome).toBe('timeout')
    })

    it('is unavailable too if it retries until its timeout, and says so only in its log on stderr', async () => {
      const log =
        'complain:level=ERROR message="stream error" small=false error.error="AI_APICallError: the service is down for a moment"'
      const limits = { timeoutMs: 1500 }
      const stuck = await run(`${log}|hang-silently`, { preset: 'opencode' }, limits)
      expect(stuck).toMatchObject({ outcome: 'unavailable', reason: expect.stringContaining('down for a') })
      const others = [
        run(`${log}|hang-silently`, { preset: 'gemini' }, limits),
        run(`${log}|say:On it.|hang-silently`, { preset: 'opencode' }, limits),
      ]
      for (const { outcome } of await Promise.all(others)) expect(outcome).toBe('timeout')
    })
  })

  it('is denied what its program’s read-only sandbox blocked, unless something else grants it', async () => {
    const failed = JSON.stringify({
      sessionUpdate: 'tool_call_update',
      toolCallId: 'c',
      kind: 'execute',
      status: 'failed',
      rawInput: { command: 'touch a' },
      content: [{ type: 'content', content: { type: 'text', text: 'touch: a: Read-only file system' } }],
    })
    expect(await run(`update:${failed}|say:done`, { preset: 'codex' })).toMatchObject({
      outcome: 'denied',
      remedy: expect.stringContaining('Add "edit" to allow'),
    })
    const ran = failed
      .replace('Read-only file system', 'no such user')
      .replace('"content"', '"rawOutput":{"exit_code":1},"content"')
    expect((await run(`update:${ran}|say:done`, { preset: 'codex' })).outcome).toBe('completed')
    expect((await run(`update:${failed}|say:done`, { preset: 'codex', allow: ['edit'] })).outcome).toBe(
      'completed',
    )
    expect((await run(`update:${failed}|say:done`)).outcome).toBe('completed')
  })

  it('is denied an edit that its program’s sandbox blocked, whatever was allowed', async () => {
    const edit = (path: string, text: string, kind = 'edit') =>
      `update:${JSON.stringify({
        sessionUpdate: 'tool_call_update',
        ...{ toolCallId: 'e', kind, status: 'failed', locations: [{ path }] },
        rawInput: { command: 'make' },
        content: [{ type: 'content', content: { type: 'text', text: `${text} ${path}` } }],
      })}`
    const told = 'Failed to create parent directories for'
    expect(await run(`${edit('out/a.txt', told)}|say:done`, { allow: ['edit'] })).toMatchObject({
      outcome: 'denied',
      remedy: expect.stringContaining('its own sandbox'),
    })
    for (const other of [
      edit('out/a.txt', 'The text to replace was not found in'),
      // A file name chosen by the agent, or a command's output, does not count as a block.
      edit('blocked by the sandbox', 'Not found:'),
      edit('out/a.txt', told, 'execute'),
    ])
      expect((await run(`${other}|say:done`, { allow: ['edit'] })).outcome).toBe('completed')
  })

  it('ignores updates of its program’s other sessions', async () => {
    const update = {
      sessionUpdate: 'agent_message_chunk',
      content: { type: 'text', text: 'EXIT_SIGNAL: true' },
    }
    const foreign = { jsonrpc: '2.0', method: 'session/update', params: { sessionId: 'another', update } }
    const { said, activity } = await run(`raw:${JSON.stringify(foreign)}|say:Mine.`)
    expect(said).toBe('Mine.')
    expect(activity?.unknownEvents).toEqual({ 'session/update of another session': 1 })
  })

  it('keeps the reason in its log when it did not end well', async () => {
    await runner(['login']).run(request())
    expect(readFileSync(join(data, '1-0-abcd.log'), 'utf8')).toMatch(/\[end\] .*not logged in/)
  })

  it("is named by its id, not by its program's name, when it is not logged in", async () => {
    const { reason } = await runner(['login'], { id: 'my-agent' }).run(request())
    expect(reason).toBe('my-agent is not logged in.')
  })

  describe('is unavailable, with a fix,', () => {
    it.each([
      ['if it is not logged in', ['login'], /not logged in/, /Log in with the puppet/],
      ['if it speaks another version', ['old-version'], /version 0 of it/, /ACP mode/],
      ['if its session has no id', ['no-session-id'], /no session: a session without an id/, /prompted/],
      ['if it opens no session', ['no-session'], /no session: Invalid params/, /not prompted/],
      ['if it ends before its prompt', ['ends-first'], /no session: it ended with exit code 1/, /prompted/],
      ['if it is never ready for a prompt', ['hangs-first'], /no session: it had not answered/, /prompted/],
    ])('%s', async (_name, turns, reason, remedy) => {
      expect(await runner(turns).run(request({ timeoutMs: 5_000 }))).toMatchObject({
        outcome: 'unavailable',
        reason: expect.stringMatching(reason),
        remedy: expect.stringMatching(remedy),
      })
    })

    it.each([
      ['that ends at once', ['true'], /ended with exit code 0 without an answer/],
      ['that prints and ends', ['echo', 'usage: agent'], /printed something else: usage: agent/],
      ['that prints endlessly', ['yes', 'hello there'], /printed something else: hello there/],
      ['that echoes its input', ['cat'], /answered `initialize` with|printed something else/],
    ])('if it is a program %s', async (_name, command, reason) => {
      expect(await runner([], { command }).run(request())).toMatchObject({
        outcome: 'unavailable',
        reason: expect.stringMatching(reason),
        remedy: expect.stringContaining('ACP mode'),
      })
    })

    it('if it is a silent program', async () => {
      const clock = {
        ...systemClock,
        sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms / 100, signal),
      }
      const silentAgent = createAcpRunner(
        agentConfig({ kind: 'acp', command: [process.execPath, PUPPET, 'silent'], env: mark.env }),
        { ...dependencies, clock },
      )
      expect(await silentAgent.run(request({ timeoutMs: 600_000 }))).toMatchObject({
        outcome: 'unavailable',
        reason: expect.stringContaining('did not introduce itself within 30 s'),
      })
    })
  })

  it('logs in with an API key from its environment, and with nothing else', async () => {
    expect(await runner(['login-api-key', 'say:in']).run(request())).toMatchObject({
      outcome: 'completed',
      said: 'authenticated with login-api-key',
    })
  })

  it('receives the workspace and its servers', async () => {
    const server = { name: 'pulseward', command: '/bin/x', args: ['a'], env: { TOKEN: 't' } }
    const { said = '' } = await runner(['print-session']).run(request({ mcpServers: [server] }))
    expect(JSON.parse(said.replaceAll('：', ':'))).toEqual({
      cwd: directory,
      mcpServers: [{ ...server, env: [{ name: 'TOKEN', value: 't' }] }],
    })
  })

  describe('reports', () => {
    const call = (fields: Record<string, unknown>): string =>
      `update:${JSON.stringify({ sessionUpdate: 'tool_call', toolCallId: 'c', title: 'T', ...fields })}`

    it.each([
      [
        'an edit by its diff',
        {
          kind: 'edit',
          status: 'completed',
          content: [{ type: 'diff', path: '/w/a', oldText: 'x', newText: 'y' }],
        },
        [{ kind: 'edit', callId: 'c', tool: 'edit', path: '/w/a', change: 'modified', status: 'succeeded' }],
      ],
      [
        'a new file by its diff',
        {
          kind: 'edit',
          status: 'completed',
          content: [{ type: 'diff', path: '/w/a', oldText: null, newText: 'y' }],
        },
        [{ kind: 'edit', callId: 'c', tool: 'edit', path: '/w/a', change: 'created', status: 'succeeded' }],
      ],
      [
        'an edit of several files by its locations',
        { kind: 'edit', locations: [{ path: 'a' }, { path: 'b', line: 3 }, 7] },
        [
          { kind: 'edit', callId: 'c', tool: 'edit', path: 'a', change: null, status: 'started' },
          { kind: 'edit', callId: 'c#1', tool: 'edit', path: 'b', change: null, status: 'started' },
        ],
      ],
      [
        'a command with its exit code',
        { kind: 'execute', status: 'failed', rawInput: { command: 'npm test' }, rawOutput: { exit_code: 1 } },
        [
          {
            kind: 'command',
            callId: 'c',
            tool: 'execute',
            command: 'npm test',
            exitCode: 1,
            status: 'failed',
          },
        ],
      ],
      [
        'a command that was passed to a shell',
        { kind: 'execute', rawInput: { command: ['bash', '-lc', 'npm test && echo ok'] } },
        [
          {
            kind: 'command',
            callId: 'c',
            tool: 'execute',
            command: 'npm test && echo ok',
            exitCode: null,
            status: 'started',
          },
        ],
      ],
      [
        'a command by its title',
        { kind: 'execute', title: '`ls -l`' },
        [
          {
            kind: 'command',
            callId: 'c',
            tool: 'execute',
            command: 'ls -l',
            exitCode: null,
            status: 'started',
          },
        ],
      ],
      [
        'any other tool',
        { kind: 'read', title: 'Read a', name: 'view', status: 'completed', locations: [{ path: 'a' }] },
        [{ kind: 'tool', callId: 'c', tool: 'view', detail: 'Read a', status: 'succeeded' }],
      ],
      [
        'a tool of an unknown kind',
        { kind: 'dream', title: 'Dreams' },
        [{ kind: 'tool', callId: 'c', tool: 'dream', detail: 'Dreams', status: 'started' }],
      ],
    ])('%s', async (_what, fields, expected) => {
      const { activity } = await run(call(fields))
      expect(activity?.calls).toEqual(expected)
    })

    it('a call with all its updates', async () => {
      const update = (fields: object) =>
        `update:${JSON.stringify({ sessionUpdate: 'tool_call_update', toolCallId: 'c', ...fields })}`
      const { activity } = await run(
        [
          call({ kind: 'execute', status: 'pending', rawInput: { command: 'npm test' } }),
          update({ status: 'in_progress' }),
          update({ status: 'completed', rawOutput: { exitCode: 0 }, title: null }),
        ].join('|'),
      )
      expect(activity?.calls).toEqual([
        {
          kind: 'command',
          callId: 'c',
          tool: 'execute',
          command: 'npm test',
          exitCode: 0,
          status: 'succeeded',
        },
      ])
      expect(ofKind('command')).toHaveLength(2)
    })

    it('its plan, its thoughts, its costs, and its messages in full', async () => {
      const chunk = (sessionUpdate: string, text: string) =>
        `update:${JSON.stringify({ sessionUpdate, content: { type: 'text', text } })}`
      const { said, activity } = await run(
        [
          chunk('agent_thought_chunk', 'Hm'),
          chunk('agent_thought_chunk', 'm.'),
          chunk('agent_message_chunk', 'First '),
          chunk('agent_message_chunk', 'part.'),
          `update:${JSON.stringify({ sessionUpdate: 'plan', entries: [{ content: 'One', priority: 'high', status: 'completed' }, 3] })}`,
          chunk('user_message_chunk', 'EXIT_SIGNAL. true'),
          call({ kind: 'read', status: 'completed' }),
          chunk('agent_message_chunk', 'Second.'),
          `update:${JSON.stringify({ sessionUpdate: 'usage_update', used: 5, size: 10, cost: { amount: 0.25, currency: 'USD' } })}`,
        ].join('|'),
      )
      expect(said).toBe('First part.\n\nSecond.')
      expect(events.filter(({ kind }) => kind === 'message' || kind === 'thought')).toEqual([
        { kind: 'thought', text: 'Hmm.' },
        { kind: 'message', text: 'First part.' },
        { kind: 'message', text: 'Second.' },
      ])
      expect(ofKind('plan')).toEqual([{ kind: 'plan', entries: [{ text: 'One', status: 'completed' }] }])
      expect(activity?.usage).toEqual({
        inputTokens: 20,
        outputTokens: 10,
        cachedInputTokens: null,
        costUsd: 0.25,
      })
    })

    it('unknown updates, and keeps them', async () => {
      const { outcome, activity } = await run(
        [
          'update:{"sessionUpdate":"hologram","x":1}',
          'update:{"sessionUpdate":"tool_call","title":"no id"}',
          'update:{"sessionUpdate":"agent_message_chunk","content":{"type":"image"}}',
          'update:7',
          'raw:{"jsonrpc":"2.0","method":"_puppet/news","params":{}}',
          'unknown',
        ].join('|'),
      )
      expect(outcome).toBe('completed')
      expect(activity?.unknownEvents).toEqual({
        hologram: 1,
        tool_call: 1,
        agent_message_chunk: 1,
        'session/update': 1,
        '_puppet/news': 1,
        '_puppet/unheard_of': 1,
      })
    })
  })

  it('continues after lines that are not messages', async () => {
    const lines = [
      'raw:warning, loud',
      'raw:{"jsonrpc"',
      'raw:[]',
      'raw:{"jsonrpc":"2.0","id":99,"result":{}}',
      'say:Done',
    ]
    expect(await run(lines.join('|'))).toMatchObject({ outcome: 'completed', said: 'Done' })
    expect(readFileSync(join(data, '1-0-abcd.log'), 'utf8')).toContain('warning, loud')
  })

  it('is stopped for an endless message', async () => {
    const endless = ['sh', '-c', `read -r line; head -c 40000000 /dev/zero | tr '\\0' x; sleep 60`]
    expect(await runner([], { command: endless }).run(request())).toMatchObject({
      outcome: 'unavailable',
      reason: expect.stringContaining('a message of more than 33554432 bytes'),
    })
  })

  describe('asking for permission', () => {
    it.each([
      ['edit', 'a.md', ['edit'], [], 'allow_once', 'edit'],
      ['execute', 'npm test', ['execute:npm test'], [], 'allow_once', 'execute:npm test'],
    ])('is allowed by policy: %s %s', async (kind, target, allow, deny, _option, grant) => {
      const { said, activity } = await run(`permission:${kind}:${target}`, { allow, deny })
      expect(JSON.parse(said ?? '')).toEqual({ outcome: { outcome: 'selected', optionId: 'yes' } })
      expect(activity?.calls).toContainEqual({
        kind: 'permission',
        tool: kind,
        target,
        decision: 'allowed',
        by: 'policy',
        grant,
      })
    })

    it.each([
      ['edit', 'a.md', [], [], 'edit'],
      ['edit', 'a.md', ['edit'], ['edit:a.md'], null],
      ['edit', '../a.md', ['edit'], [], null],
      ['edit', '/etc/passwd', ['edit'], [], null],
      ['execute', 'npm test && rm -rf .', ['execute:npm test'], [], 'execute:npm test && rm -rf .'],
    ])('is refused if no one can be asked: %s %s', async (kind, target, allow, deny, grant) => {
      const result = await run(`permission:${kind}:${target}`, { allow, deny })
      expect(JSON.parse(result.said ?? '')).toEqual({ outcome: { outcome: 'selected', optionId: 'no' } })
      expect(result).toMatchObject({
        outcome: 'denied',
        reason: `It was denied a tool: ${kind} ${target}.`,
        remedy: expect.stringContaining(
          grant === null ? 'No entry of allow' : `Add ${JSON.stringify(grant)} to allow`,
        ),
      })
      expect(result.activity?.calls).toContainEqual({
        kind: 'permission',
        tool: kind,
        target,
        decision: 'denied',
        by: 'policy',
        grant,
      })
      expect(result.activity?.calls).toContainEqual(
        expect.objectContaining({ callId: 'call-1', status: 'denied' }),
      )
    })

    it('treats a link that leads out of the workspace as a path outside', async () => {
      symlinkSync(tmpdir(), join(directory, 'link'))
      symlinkSync('/nowhere/at/all', join(directory, 'dangling'))
      for (const path of ['link/a.md', 'dangling']) {
        const { activity } = await run(`permission:edit:${path}`, { allow: ['edit'] })
        expect(activity?.calls).toContainEqual(
          expect.objectContaining({ kind: 'permission', decision: 'denied' }),
        )
      }
    })

    it.each([
      ['allowed', 'yes', 'completed'],
      ['denied', 'no', 'denied'],
      ['expired', 'no', 'denied'],
    ] as const)('is answered by the operator: %s', async (decision, optionId, outcome) => {
      const questions: unknown[] = []
      const result = await run(
        'permission:execute:make it so',
        { permissionTimeoutSeconds: 7 },
        {
          askOperator: async (question, timeoutMs) => {
            questions.push({ ...question, timeoutMs })
            return decision
          },
        },
      )
      expect(questions).toEqual([
        {
          tool: 'execute',
          target: 'make it so',
          title: 'make it so',
          grant: 'execute:make it so',
          timeoutMs: 7000,
        },
      ])
      expect(JSON.parse(result.said ?? '')).toEqual({ outcome: { outcome: 'selected', optionId } })
      expect(result.outcome).toBe(outcome)
      expect(ofKind('permission')).toEqual([expect.objectContaining({ decision, by: 'operator' })])
    })

    it('is told that the turn has ended if its time runs out', async () => {
      const waiting: AbortSignal[] = []
      const result = await run(
        'permission-then-hang:execute:ls',
        {},
        {
          timeoutMs: 1500,
          askOperator: (_question, _timeoutMs, signal) =>
            new Promise((resolve) => {
              waiting.push(signal)
              signal.addEventListener('abort', () => resolve('expired'), { once: true })
            }),
        },
      )
      expect(waiting.map(({ aborted }) => aborted)).toEqual([true])
      expect(result).toMatchObject({
        outcome: 'timeout',
        said: JSON.stringify({ outcome: { outcome: 'cancelled' } }),
      })
    })

    it("always allows our own server's tools, without asking anyone", async () => {
      for (const title of ['mcp__pulseward__report_task', 'report_task (pulseward MCP Server)']) {
        const { outcome, activity } = await run(`own-tool:${title}`, { deny: ['other'] })
        expect(outcome).toBe('completed')
        expect(activity?.calls.map(({ kind }) => kind)).toEqual(['tool'])
      }
      expect((await run('own-tool:mcp__pulseward__rm')).outcome).toBe('denied')
      expect((await run('own-reader:mcp__pulseward__report_task')).outcome).toBe('completed')
      expect((await run('own-reader:mcp__other__report_task')).outcome).toBe('denied')
    })
  })

  describe('reading and writing files through us', () => {
    it('reads and writes whole files and parts, within the workspace', async () => {
      writeFileSync(join(directory, 'a.md'), 'one\ntwo\nthree\n')
      expect((await run('read:a.md')).said).toBe(JSON.stringify({ content: 'one\ntwo\nthree\n' }))
      expect((await run(`read:${directory}/a.md:2:1`)).said).toBe(JSON.stringify({ content: 'two\n' }))
      const { activity } = await run('write:deep/er/b.md:new', { writesUnasked: true })
      expect(readFileSync(join(directory, 'deep/er/b.md'), 'utf8')).toBe('new')
      expect(activity?.calls).toEqual([
        {
          kind: 'edit',
          callId: null,
          tool: 'fs/write_text_file',
          path: 'deep/er/b.md',
          change: 'created',
          status: 'succeeded',
        },
      ])
      await run('write:a.md:x', { allow: ['edit:*.md'] })
      expect(readFileSync(join(directory, 'a.md'), 'utf8')).toBe('x')
    })

    it.each(['../outside.md', '/etc/hostname', 'link/outside.md', 'dangling'])(
      'never reads or writes outside the workspace: %s',
      async (path) => {
        symlinkSync(data, join(directory, 'link'))
        symlinkSync(join(data, 'not-there.md'), join(directory, 'dangling'))
        for (const turn of [`read:${path}`, `write:${path}:x`]) {
          const result = await run(turn)
          expect(result).toMatchObject({
            outcome: 'denied',
            said: expect.stringContaining('outside the workspace'),
          })
          expect(result.activity?.calls).toEqual([
            expect.objectContaining({ kind: 'permission', target: path, decision: 'denied', by: 'policy' }),
          ])
        }
        expect(readdirSync(data).filter((name) => name.endsWith('.md'))).toEqual([])
      },
    )

    it('refuses folders and missing files', async () => {
      mkdirSync(join(directory, 'folder'))
      expect((await run('read:folder')).said).toContain('is not a file')
      expect((await run('write:folder:x', { writesUnasked: true })).said).toContain('is a folder')
      expect((await run('read:missing.md')).said).toContain('not found')
    })

    it('refuses what is denied by name, or was refused a moment ago', async () => {
      expect((await run('write:a.md:x', { deny: ['edit:a.md'] })).outcome).toBe('denied')
      expect((await run('read:a.md', { deny: ['read'] })).outcome).toBe('denied')
      expect((await run('permission:edit:a.md|write:a.md:x')).outcome).toBe('denied')
      expect((await run('write:a.md:x', { writesUnasked: true, deny: ['edit'] })).outcome).toBe('denied')
      expect(readdirSync(directory)).toEqual([])
    })

    it('refuses changes that the operator did not grant', async () => {
      const refused = await run('write:a.md:x|say:done', { allow: [] })
      expect(refused).toMatchObject({
        outcome: 'denied',
        remedy: expect.stringContaining('Add "edit" to allow'),
      })
      expect(readdirSync(directory)).toEqual([])
      const asked = await run('write:a.md:x', { allow: [] }, { askOperator: async () => 'allowed' })
      expect(asked.outcome).toBe('completed')
      expect(readFileSync(join(directory, 'a.md'), 'utf8')).toBe('x')
    })

    it('finds no rules above the workspace, without being refused', async () => {
      const { outcome, activity, said } = await run('read:../AGENTS.md')
      expect({ outcome, calls: activity?.calls }).toEqual({ outcome: 'completed', calls: [] })
      expect(said).toContain('not found')
    })
  })

  describe('running commands through us', () => {
    it('runs an allowed command in the workspace, and returns its output and exit code', async () => {
      const script = 'echo "$MARK in $PWD"; exit 3'
      const { said = '', activity } = await run(`terminal:sh:-c:${script}`, { allow: ['execute'] })
      const end = said.lastIndexOf('{"code"')
      expect(said.slice(end)).toContain('not found')
      expect(JSON.parse(said.slice(0, end))).toEqual({
        exitCode: 3,
        signal: null,
        output: `from the agent in ${directory}\n`,
        truncated: false,
        exitStatus: { exitCode: 3, signal: null },
      })
      expect(activity?.calls).toContainEqual({
        kind: 'command',
        callId: 'terminal-1',
        tool: 'terminal',
        command: script,
        exitCode: 3,
        status: 'failed',
      })
    })

    it('runs a whole command line if that exact line was allowed', async () => {
      const line = 'echo one && echo two'
      const { said } = await run(`terminal:${line}`, { allow: [`execute:${line}`] })
      expect(said).toContain('one\\ntwo')
    })

    it('runs nothing without permission', async () => {
      const result = await run('terminal:touch:made.txt')
      expect(result).toMatchObject({ outcome: 'denied', said: expect.stringContaining('was denied') })
      expect(readdirSync(directory)).toEqual([])
    })

    it('uses an earlier permission once', async () => {
      let asked = 0
      const turn = 'permission:execute:touch made.txt|terminal:touch made.txt|terminal:touch made.txt'
      await run(turn, {}, { askOperator: async () => (++asked === 1 ? 'allowed' : 'denied') })
      expect(asked).toBe(2)
      expect(statSync(join(directory, 'made.txt')).isFile()).toBe(true)
    })

    it('reports a command once if the agent announced it, with its exit code', async () => {
      const announced = (status: string) =>
        `update:${JSON.stringify({ sessionUpdate: 'tool_call_update', toolCallId: 'c', kind: 'execute', status, rawInput: { command: 'exit 3' } })}`
      const { activity } = await run(
        `${announced('in_progress')}|terminal:sh:-c:cd . && exit 3|${announced('completed')}`,
        { allow: ['execute'] },
      )
      expect(activity?.calls.filter(({ kind }) => kind === 'command')).toMatchObject([
        { callId: 'c', command: 'exit 3', exitCode: 3 },
      ])
      // The command differs from the announced one, so both are reported.
      const other = await run(`${announced('in_progress')}|terminal:sh:-c:echo exit 3`, {
        allow: ['execute'],
      })
      expect(other.activity?.calls.flatMap((call) => (call.kind === 'command' ? call.command : []))).toEqual([
        'exit 3',
        'echo exit 3',
      ])
    })

    it('leaves no command running', async () => {
      const result = await run('terminal-left-running:sleep 60', { allow: ['execute'] })
      expect(result.outcome).toBe('completed')
    })
  })

  describe('a session that is kept open', () => {
    it('takes a further prompt, and is killed when released', async () => {
      const agent = runner(['say:one', 'echo-prompt'])
      const first = await agent.run(request({ keepSession: true }))
      expect(first).toMatchObject({ outcome: 'completed', said: 'one' })
      expect(mark.running()).toHaveLength(1)
      const second = await agent.followUp?.(request({ prompt: 'ab', keepSession: true }))
      expect(second).toMatchObject({ outcome: 'completed', said: expect.stringMatching(/^2 /) })
      expect(second?.activity?.sessionId).toBe(first.activity?.sessionId)
      await agent.release?.('1-0-abcd')
      expect(mark.running()).toEqual([])
      expect(readFileSync(join(data, '1-0-abcd.log'), 'utf8')).toMatch(/^one.*2 /s)
      expect(readdirSync(data)).toEqual(['1-0-abcd.log'])
    })

    it.runIf(process.platform === 'linux')(
      'is suspended while it is judged, with everything it started, and continues with its next turn',
      async () => {
        const agent = runner(['leave-child-behind', 'say:two'])
        await agent.run(request({ keepSession: true }))
        const running = mark.running()
        expect(running.length).toBeGreaterThan(1)
        // A process on another processor gets the signal a moment later.
        await until(() => running.every((pid) => stateOf(pid) === 'T'))
        const second = await agent.followUp?.(request({ keepSession: true }))
        expect(second?.said).toContain('two')
        await agent.release?.('1-0-abcd')
        expect(mark.running()).toEqual([])
      },
    )

    it('ends after a turn that did not end by itself', async () => {
      const agent = runner(['hang'])
      await agent.run(request({ keepSession: true, timeoutMs: 1500 }))
      expect(mark.running()).toEqual([])
      expect(await agent.followUp?.(request())).toMatchObject({ outcome: 'unavailable' })
      await agent.release?.('1-0-abcd')
    })

    it('is killed with the supervisor during a further turn', async () => {
      const controller = new AbortController()
      const agent = runner(['say:one', 'hang'])
      await agent.run(request({ keepSession: true }))
      const second = agent.followUp?.(request({ signal: controller.signal }))
      await until(() => statSync(join(directory, 'ready'), { throwIfNoEntry: false }) !== undefined)
      controller.abort()
      expect(await second).toMatchObject({ outcome: 'cancelled' })
    })
  })
})

/** Returns the kernel's state letter: `T` is stopped. */
function stateOf(pid: number): string | undefined {
  return readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.charAt(0)
}
