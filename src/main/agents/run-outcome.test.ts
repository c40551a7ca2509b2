import { describe, expect, it } from 'vitest'
import { outcomeOf } from './run-outcome.ts'
import { createStreamReader } from './streams/read-stream.ts'
import { agentConfig } from './testing/agent-config.ts'

const retry = (status: number, error: string) =>
  JSON.stringify({
    type: 'system',
    subtype: 'api_retry',
    attempt: 5,
    max_retries: 10,
    error_status: status,
    error,
  })
const said = JSON.stringify({
  type: 'assistant',
  message: { content: [{ type: 'text', text: 'I have begun.' }] },
})

const nothing = { text: '', omittedBytes: 0 }
const ENDED = {
  exitCode: 1,
  signal: null,
  started: true,
  dismissed: false,
  timedOut: false,
  cancelled: false,
  durationMs: 20,
  stdout: nothing,
  stderr: nothing,
  failure: null,
}

/** Returns the outcome of a run that ended by itself; with `claude`, its events are read. */
function afterEnd(
  program: 'claude' | null,
  said: { command?: string[]; exitCode?: number; stdout?: string; stderr?: string },
) {
  const reader = program === null ? null : createStreamReader(program)
  reader?.stdout(said.stdout ?? '')
  reader?.end()
  return outcomeOf({
    config: agentConfig({ command: said.command ?? ['claude'], stream: program, preset: program }),
    request: { timeoutMs: 120_000 },
    run: {
      ...ENDED,
      exitCode: said.exitCode ?? 1,
      stdout: { ...nothing, text: said.stdout ?? '' },
      stderr: { ...nothing, text: said.stderr ?? '' },
    },
    reading: reader?.reading() ?? null,
    withheld: [],
  })
}

/** Returns the outcome of a Claude run that printed these lines and was killed at its timeout. */
function afterTimeout(...lines: string[]) {
  const reader = createStreamReader('claude')
  reader.stdout(`${lines.join('\n')}\n`)
  reader.end()
  return outcomeOf({
    config: agentConfig({ command: ['claude'], stream: 'claude', preset: 'claude' }),
    request: { timeoutMs: 120_000 },
    run: { ...ENDED, exitCode: null, signal: 'SIGTERM', timedOut: true, durationMs: 120_000 },
    reading: reader.reading(),
    withheld: [],
  })
}

describe('a program that is killed at its timeout', () => {
  it('counts as stopped by its service if the service refused it all the time', () => {
    expect(afterTimeout(retry(401, 'authentication_failed'))).toMatchObject({
      outcome: 'unavailable',
      reason: expect.stringMatching(/not logged in.*401/),
      remedy: expect.stringContaining('/login'),
    })
    expect(afterTimeout(retry(529, 'overloaded_error'))).toMatchObject({ outcome: 'unavailable' })
  })

  it.each([
    ['it worked before', [said, retry(401, 'authentication_failed')]],
    ['it continued after the error', [retry(500, 'server_error'), said]],
    ['there was no error', []],
  ])('counts as timed out if %s', (_where, lines) => {
    expect(afterTimeout(...lines)).toMatchObject({ outcome: 'timeout', remedy: null })
  })
})

describe('a program that fails before it begins', () => {
  it('counts as unable to run if it reports events and reported none', () => {
    expect(afterEnd('claude', { stderr: 'error: unknown option --frobnicate\n' })).toMatchObject({
      outcome: 'unavailable',
      reason: expect.stringMatching(/exit code 1 before it began to work.*unknown option/),
      remedy: expect.stringContaining('by hand'),
    })
  })

  it.each([
    ['it reported an event', `${said}\n`],
    ['it printed something else', 'I could not do it.\n'],
  ])('counts as ended with an error if %s', (_where, stdout) => {
    expect(afterEnd('claude', { stdout, stderr: 'boom' })).toMatchObject({ outcome: 'error' })
  })

  it.each([
    [['sh', 'run-agent.sh'], 127, 'run-agent.sh: 1: claude: not found'],
    [['node', '/opt/agent/main.mjs'], 1, "Error: Cannot find module '/opt/agent/main.mjs'\n    at load"],
    [
      ['python3', './agent.py'],
      2,
      "python3: can't open file '/w/agent.py': [Errno 2] No such file or directory",
    ],
  ])('counts as unable to run if %j ends with %d', (command, exitCode, stderr) => {
    expect(afterEnd(null, { command, exitCode, stderr })).toMatchObject({ outcome: 'unavailable' })
  })

  it.each([
    [['sh', 'agent.sh'], 127, 'I began.', 'agent.sh: 9: frob: not found'],
    [['node', '/opt/agent/main.mjs'], 1, '', "Error: Cannot find module './src/made-by-the-agent.js'"],
    [['./agent'], 1, '', 'Error: the tests fail'],
    [['./agent'], 0, '', 'frob: not found'],
  ])('counts as having worked if %j ends with %d after %j', (command, exitCode, stdout, stderr) => {
    expect(afterEnd(null, { command, exitCode, stdout, stderr }).outcome).toBe(
      exitCode === 0 ? 'completed' : 'error',
    )
  })
})
