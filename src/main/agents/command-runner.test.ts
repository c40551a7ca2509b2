import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { STREAM_PROGRAMS } from '../../core/agents/programs.ts'
import { systemClock } from '../host/system-clock.ts'
import type { AgentRequest } from '../ports/agent-runner.ts'
import type { Log } from '../ports/log.ts'
import type { AgentConfig } from '../ports/workspace-config.ts'
import { createCommandRunner } from './command-runner.ts'
import { agentConfig } from './testing/agent-config.ts'
import { describeAgentRunner } from './testing/agent-runner-contract.ts'

const PUPPET = fileURLToPath(new URL('./testing/puppet.mjs', import.meta.url))
const STREAM_PUPPET = fileURLToPath(new URL('./testing/stream-puppet.mjs', import.meta.url))
const silent: Log = { info: () => {}, warn: () => {}, error: () => {} }

describeAgentRunner('a command agent', (behaviour, { killGraceMs, ...setup }, program = process.execPath) =>
  createCommandRunner(agentConfig({ id: 'puppet', command: [program, PUPPET, behaviour], ...setup }), {
    clock: systemClock,
    log: silent,
    killGraceMs,
  }),
)

for (const stream of STREAM_PROGRAMS) {
  describeAgentRunner(
    `a command agent with the events of ${stream}`,
    (behaviour, { killGraceMs, ...setup }, program = process.execPath) => {
      const command = [program, STREAM_PUPPET, stream, behaviour]
      return createCommandRunner(agentConfig({ command, stream, ...setup }), {
        clock: systemClock,
        log: silent,
        killGraceMs,
        // Longer than an agent takes to exit by itself, however busy the machine is.
        lingerGraceMs: behaviour === 'linger' ? 50 : 20_000,
      })
    },
    {
      denials: stream !== 'gemini',
      exitCodes: stream !== 'gemini',
      likeAnother: stream !== STREAM_PROGRAMS[0],
    },
  )
}

describe('a command agent that takes its prompt as an argument', () => {
  let directory: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'pulseward-agent-'))
  })
  afterEach(() => rmSync(directory, { recursive: true, force: true }))

  function run(prompt: string, overrides: Partial<AgentConfig> = {}) {
    const command = ['sh', '-c', 'cat; printf "%s" "$1"', 'agent']
    const config = agentConfig({ command, prompt: 'argument', ...overrides })
    const request: AgentRequest = {
      attemptId: '1-0-abcd',
      prompt,
      directory,
      timeoutMs: 20_000,
      logFile: join(directory, '1-0-abcd.log'),
      signal: new AbortController().signal,
      onOutput: () => {},
    }
    return createCommandRunner(config, { clock: systemClock, log: silent }).run(request)
  }

  it.each(['short', '--looks-like-an-option', 'two\nlines, "quotes" and $variables', 'ä'.repeat(60 * 1024)])(
    'gets the whole prompt, with its stdin closed',
    async (prompt) => {
      expect(await run(prompt)).toMatchObject({
        outcome: 'completed',
        stdout: { text: prompt, omittedBytes: 0 },
      })
    },
  )

  it.each([
    ['too long', 'x'.repeat(120 * 1024 + 1), /122881 bytes/],
    ['with a null character', 'a\0b', /null character/],
  ])('is unavailable, with a fix, for a prompt that is %s', async (_name, prompt, reason) => {
    expect(await run(prompt)).toMatchObject({
      outcome: 'unavailable',
      reason: expect.stringMatching(reason),
      remedy: expect.stringContaining('prompt = "stdin"'),
    })
    expect(readFileSync(join(directory, '1-0-abcd.log'), 'utf8')).toMatch(reason)
  })

  it('keeps its log, and removes its note of the running agent', async () => {
    await run('done')
    expect(readdirSync(directory)).toEqual(['1-0-abcd.log'])
  })

  it('reports an error, not `unavailable`, if the program itself exits with 127', async () => {
    expect(await run('', { command: ['sh', '-c', 'exit 127'] })).toMatchObject({
      outcome: 'error',
      exitCode: 127,
    })
  })

  it('reports the signal that ended it', async () => {
    expect(await run('', { command: ['sh', '-c', 'kill -KILL $$'] })).toMatchObject({
      outcome: 'error',
      signal: 'SIGKILL',
      reason: 'sh was ended by SIGKILL.',
    })
  })
})

describe('a command agent that takes servers', () => {
  const server = { name: 'pulseward', command: '/bin/x', args: [], env: { TOKEN: 't' } }
  const run = async (config: Partial<AgentConfig>) => {
    const directory = mkdtempSync(join(tmpdir(), 'pulseward-agent-'))
    const runner = createCommandRunner(
      agentConfig({
        command: ['sh', '-c', 'cat; printf "%s %s" "$OPENCODE_CONFIG_CONTENT" "$*"', 'agent'],
        ...config,
      }),
      { clock: systemClock, log: silent },
    )
    const { stdout } = await runner.run({
      attemptId: '1-0-abcd',
      prompt: 'Go.',
      directory,
      timeoutMs: 20_000,
      logFile: join(directory, '1-0-abcd.log'),
      signal: new AbortController().signal,
      onOutput: () => {},
      mcpServers: [server],
    })
    rmSync(directory, { recursive: true, force: true })
    return { takes: runner.takesMcpServers ?? false, printed: stdout.text }
  }

  it('gets the servers through its arguments or its environment', async () => {
    expect(await run({ stream: 'claude' })).toMatchObject({
      takes: true,
      printed: expect.stringContaining('--mcp-config={"mcpServers":{"pulseward":'),
    })
    expect((await run({ stream: 'opencode' })).printed).toContain('"pulseward":{"type":"local"')
  })

  it('keeps the servers that the operator has set', async () => {
    expect((await run({ stream: 'opencode', env: { OPENCODE_CONFIG_CONTENT: '{}' } })).printed).toBe('Go.{} ')
  })

  it.each<Partial<AgentConfig>>([{ stream: null }, { stream: 'gemini' }])(
    'gets no servers if it supports none: %j',
    async (config) => {
      expect(await run(config)).toEqual({ takes: false, printed: 'Go. ' })
    },
  )
})
