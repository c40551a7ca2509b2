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

/** How a run of Claude that printed these lines and was ended at its timeout is taken. */
function afterTimeout(...lines: string[]) {
  const reader = createStreamReader('claude')
  reader.stdout(`${lines.join('\n')}\n`)
  reader.end()
  const nothing = { text: '', omittedBytes: 0 }
  return outcomeOf({
    config: agentConfig({ command: ['claude'], stream: 'claude', preset: 'claude' }),
    request: { timeoutMs: 120_000 },
    run: {
      exitCode: null,
      signal: 'SIGTERM',
      started: true,
      dismissed: false,
      timedOut: true,
      cancelled: false,
      durationMs: 120_000,
      stdout: nothing,
      stderr: nothing,
      failure: null,
    },
    reading: reader.reading(),
    withheld: [],
  })
}

describe('a program that is ended at its timeout', () => {
  it('was stopped by its service where that refused it all the time', () => {
    expect(afterTimeout(retry(401, 'authentication_failed'))).toMatchObject({
      outcome: 'unavailable',
      reason: expect.stringMatching(/not logged in.*401/),
      remedy: expect.stringContaining('/login'),
    })
    expect(afterTimeout(retry(529, 'overloaded_error'))).toMatchObject({ outcome: 'unavailable' })
  })

  it.each([
    ['it was at work before', [said, retry(401, 'authentication_failed')]],
    ['it went on after the trouble', [retry(500, 'server_error'), said]],
    ['there was no trouble', []],
  ])('ran into it where %s', (_where, lines) => {
    expect(afterTimeout(...lines)).toMatchObject({ outcome: 'timeout', remedy: null })
  })
})
