import { describe, expect, it } from 'vitest'
import { detectEnvironmentFault, type EndedRun } from './environment-fault.ts'

function run(
  parts: Partial<Omit<EndedRun, 'stdout' | 'stderr'>> & { stdout?: string; stderr?: string },
): EndedRun {
  return {
    outcome: parts.outcome ?? 'error',
    exitCode: parts.exitCode === undefined ? 1 : parts.exitCode,
    reason: parts.reason ?? 'it exited with 1',
    remedy: parts.remedy ?? null,
    stdout: { text: parts.stdout ?? '' },
    stderr: { text: parts.stderr ?? '' },
    ...(parts.said !== undefined && { said: parts.said }),
    ...(parts.withheld !== undefined && { withheld: parts.withheld }),
  }
}

/** As agent programs print them when they fail, by what is at fault. */
const FAILURES: readonly (readonly [string, RegExp])[] = [
  ['Invalid API key · Please run /login', /not logged in/],
  ['Not logged in · Please run /login', /not logged in/],
  ['Failed to authenticate. API Error: 401 {"type":"error"}', /not logged in/],
  ['Error: ANTHROPIC_API_KEY environment variable is not set', /not logged in/],
  ['ERROR: unexpected status 401 Unauthorized: Missing bearer, url: https://api.example/v1', /not logged in/],
  ['{"type":"error","error":{"type":"authentication_error","message":"x"}}', /not logged in/],
  ['OAuth token has expired. Please obtain a new token', /not logged in/],
  ['Authentication failed with provider (HTTP 401).', /not logged in/],
  ['API Error: 429 {"type":"error","error":{"type":"rate_limit_error"}}', /rate limit/],
  ['Claude AI usage limit reached|1735689600', /rate limit/],
  ['error: exceeded your current quota, check your plan', /rate limit/],
  ['[API Error: {"error":{"status":"RESOURCE_EXHAUSTED"}}]', /rate limit/],
  ['stream error: exceeded retry limit, last status: 429 Too Many Requests', /rate limit/],
  ['API Error: 529 {"type":"error","error":{"type":"overloaded_error"}}', /error of its own/],
  ['API Error: 500 internal server error', /error of its own/],
  ['error: 503 Service Unavailable', /error of its own/],
  ['Error: getaddrinfo ENOTFOUND api.anthropic.com', /network/],
  ['fatal error: connect ECONNREFUSED 160.79.104.10:443', /network/],
  ['API Error: Connection error.', /network/],
]

describe('what stopped the agent', () => {
  it('is not looked for among the events of a program that says itself how it ended', () => {
    const stdout = '{"type":"text","text":"Error: 401 Unauthorized is what the test expects"}'
    expect(detectEnvironmentFault(run({ stdout, said: 'I gave up.' }))).toBeNull()
    expect(
      detectEnvironmentFault(run({ stdout, stderr: 'Error: 401 Unauthorized', said: '' })),
    ).not.toBeNull()
  })

  it('names the variables that were kept back where a login is missing, and nowhere else', () => {
    const withheld = ['MY_TOKEN']
    expect(detectEnvironmentFault(run({ stderr: 'Not logged in', withheld }))?.remedy).toMatch(
      /MY_TOKEN.*pass_env/,
    )
    expect(
      detectEnvironmentFault(run({ stderr: 'Error: rate limit exceeded', withheld }))?.remedy,
    ).not.toContain('MY_TOKEN')
  })

  it.each(FAILURES)('a failed run that ends with "%s" was stopped by the environment', (line, reason) => {
    for (const stream of ['stdout', 'stderr'] as const) {
      const fault = detectEnvironmentFault(run({ [stream]: `Working…\n${line}\n` }))
      expect(fault?.reason).toMatch(reason)
      expect(fault?.remedy).toMatch(/\.$/)
    }
  })

  it.each(FAILURES)('a run that succeeded is not excused by saying "%s"', (line) => {
    expect(detectEnvironmentFault(run({ outcome: 'completed', exitCode: 0, stdout: line }))).toBeNull()
  })

  it.each(FAILURES)('a run that hit its timeout is not excused by saying "%s"', (line) => {
    expect(detectEnvironmentFault(run({ outcome: 'timeout', exitCode: null, stderr: line }))).toBeNull()
  })

  it.each([
    'I added handling for rate limit exceeded responses (429 Too Many Requests).',
    'The login page now says "not logged in" to guests.',
    'Error: connect ECONNREFUSED 127.0.0.1:5432',
    'Error: getaddrinfo ENOTFOUND localhost',
    'FAIL src/login.test.ts > answers 401',
    'AssertionError: expected 200 to be 503',
    'TypeError: Cannot read properties of undefined',
    '429 files changed',
    '',
  ])('a failed run that ends with "%s" is the agent\'s own', (line) => {
    expect(detectEnvironmentFault(run({ stdout: line }))).toBeNull()
  })

  it('does not look at what was said long before the end', () => {
    const work = Array.from({ length: 100 }, (_, index) => `step ${index}`).join('\n')
    expect(detectEnvironmentFault(run({ stderr: `Invalid API key · Please run /login\n${work}` }))).toBeNull()
  })

  it('takes the word of the runner for what it knows itself', () => {
    const unavailable = run({ outcome: 'unavailable', reason: 'no program x', remedy: 'Install x.' })
    expect(detectEnvironmentFault(unavailable)).toEqual({ reason: 'no program x', remedy: 'Install x.' })
    for (const outcome of ['unavailable', 'denied', 'cancelled'] as const) {
      const fault = detectEnvironmentFault(run({ outcome, reason: 'so it was' }))
      expect(fault?.reason).toBe('so it was')
      expect(fault?.remedy).toMatch(/\.$/)
    }
  })

  it('is quick on megabytes of one line', () => {
    const text = 'error rate limi'.repeat(200_000)
    expect(detectEnvironmentFault(run({ stdout: text, stderr: text }))).toBeNull()
  })
})
