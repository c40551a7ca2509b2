import { describe, expect, it } from 'vitest'
import { NO_CLAIM } from '../claims/types.ts'
import { detectEnvironmentFault, type EndedRun, faultFor } from './environment-fault.ts'
import { EMPTY_DIFFERENCE } from './types.ts'

const now = { epochMs: Date.UTC(2026, 10, 21, 15, 10), timeZone: 'UTC' }
const detect = (ended: EndedRun) => detectEnvironmentFault(ended, now)

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
    ...(parts.resetsAtMs !== undefined && { resetsAtMs: parts.resetsAtMs }),
  }
}

/** Messages that agent programs print when they fail, with the cause. */
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
  ['API Error: 529 {"type":"error","error":{"type":"overloaded_error"}}', /internal error/],
  ['API Error: 500 internal server error', /internal error/],
  ['error: 503 Service Unavailable', /internal error/],
  ['Error: getaddrinfo ENOTFOUND api.anthropic.com', /network/],
  ['fatal error: connect ECONNREFUSED 160.79.104.10:443', /network/],
  ['API Error: Connection error.', /network/],
]

describe('what stopped the agent', () => {
  it('is not read from the events of a program that reports its own ending', () => {
    const stdout = '{"type":"text","text":"Error: 401 Unauthorized is what the test expects"}'
    expect(detect(run({ stdout, said: 'I gave up.' }))).toBeNull()
    expect(detect(run({ stdout, stderr: 'Error: 401 Unauthorized', said: '' }))).not.toBeNull()
  })

  it('names the withheld variables if a login is missing, and only then', () => {
    const withheld = ['MY_TOKEN']
    expect(detect(run({ stderr: 'Not logged in', withheld }))?.remedy).toMatch(/MY_TOKEN.*pass_env/)
    expect(detect(run({ stderr: 'Error: rate limit exceeded', withheld }))?.remedy).not.toContain('MY_TOKEN')
  })

  it.each(FAILURES)('is the environment if a failed run ends with "%s"', (line, reason) => {
    for (const stream of ['stdout', 'stderr'] as const) {
      const fault = detect(run({ [stream]: `Working…\n${line}\n` }))
      expect(fault?.reason).toMatch(reason)
      expect(fault?.remedy).toMatch(/\.$/)
    }
  })

  it.each(FAILURES)('is not the environment if a successful run says "%s" beside its answer', (line) => {
    const done = { outcome: 'completed', exitCode: 0 } as const
    expect(detect(run({ ...done, stdout: `I looked at the log.\n${line}` }))).toBeNull()
    expect(detect(run({ ...done, stdout: `${line}\nThat is why I stopped.` }))).toBeNull()
    expect(detect(run({ ...done, stdout: line, said: line }))).toBeNull()
  })

  it.each(FAILURES)('is not the environment if a run that hit its timeout says "%s"', (line) => {
    expect(detect(run({ outcome: 'timeout', exitCode: null, stderr: line }))).toBeNull()
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
  ])('is the agent itself if a failed run ends with "%s"', (line) => {
    expect(detect(run({ stdout: line }))).toBeNull()
  })

  it('is not read from what was said long before the end', () => {
    const work = Array.from({ length: 100 }, (_, index) => `step ${index}`).join('\n')
    expect(detect(run({ stderr: `Invalid API key · Please run /login\n${work}` }))).toBeNull()
  })

  it('is taken from the runner if that knows it', () => {
    const unavailable = run({ outcome: 'unavailable', reason: 'no program x', remedy: 'Install x.' })
    expect(detect(unavailable)).toEqual({ reason: 'no program x', remedy: 'Install x.' })
    for (const outcome of ['unavailable', 'denied', 'cancelled'] as const) {
      const fault = detect(run({ outcome, reason: 'so it was' }))
      expect(fault?.reason).toBe('so it was')
      expect(fault?.remedy).toMatch(/\.$/)
    }
  })

  it.each([
    ['401', /not logged in/],
    ['Error: 429 Too Many Requests, retrying in 30 s', /rate limit/],
    ['connect ETIMEDOUT 160.79.104.10:443 error', /network/],
  ])('is the environment at a timeout if a command prints only "%s", over and over', (line, reason) => {
    const text = `starting agent\n${`${line}\n`.repeat(40)}`
    for (const stream of ['stdout', 'stderr'] as const)
      expect(detect(run({ outcome: 'timeout', exitCode: null, [stream]: text }))?.reason).toMatch(reason)
  })

  it.each([
    ['the error appears once and then nothing', 'Error: 401 Unauthorized\n'],
    ['work continues between the errors', 'Error: 429 Too Many Requests\nwrote notes/a.md\n'.repeat(20)],
    [
      'it also claims to be done',
      `${'Error: 429 Too Many Requests\n'.repeat(3)}a\nb\nAll done.\nEXIT_SIGNAL: true\n`,
    ],
  ])('is the agent itself at a timeout if %s', (_where, stdout) => {
    expect(detect(run({ outcome: 'timeout', exitCode: null, stdout }))).toBeNull()
  })

  it('is read from what a command prints instead of an answer, whatever its exit code', () => {
    const done = { outcome: 'completed', exitCode: 0 } as const
    expect(detect(run({ ...done, stderr: 'Error: 401 Unauthorized' }))?.reason).toMatch(/not logged in/)
    expect(detect(run({ ...done, stdout: '5-hour limit reached ∙ resets 3pm' }))?.reason).toMatch(/limit/)
    expect(detect(run({ ...done, stdout: '401' }))).toBeNull()
    expect(detect(run({ ...done, stderr: 'Error: 401 Unauthorized', stdout: 'All done.' }))).toBeNull()
    expect(detect(run({ ...done, stderr: 'Error: 401 Unauthorized\nfell back to the cache' }))).toBeNull()
  })

  it('does not excuse an agent that says the task is done, or whose program says so, if only words name the environment', () => {
    const done = { ...NO_CLAIM, status: 'done' as const }
    const printed = detect(run({ stderr: 'Error: rate limit exceeded' }))
    expect(faultFor(printed, NO_CLAIM, EMPTY_DIFFERENCE)).toBe(printed)
    expect(faultFor(printed, { ...NO_CLAIM, status: 'failed', exitSignal: false }, EMPTY_DIFFERENCE)).toBe(
      printed,
    )
    expect(faultFor(printed, done, EMPTY_DIFFERENCE)).toBeNull()
    expect(faultFor(printed, { ...NO_CLAIM, exitSignal: true }, EMPTY_DIFFERENCE)).toBeNull()
    const told = detect(run({ outcome: 'unavailable', reason: 'the service had an error', remedy: 'Wait.' }))
    expect(faultFor(told, done, EMPTY_DIFFERENCE)).toBe(told)
  })

  it('is not read from an answer of a command that changed something and ended normally', () => {
    const answered = detect(run({ outcome: 'completed', exitCode: 0, stdout: 'Usage limit reached' }))
    const changed = { ...EMPTY_DIFFERENCE, added: ['limits.md'] }
    expect(faultFor(answered, NO_CLAIM, EMPTY_DIFFERENCE)).toBe(answered)
    expect(faultFor(answered, NO_CLAIM, changed)).toBeNull()
    const failed = detect(run({ stdout: 'Usage limit reached' }))
    expect(faultFor(failed, NO_CLAIM, changed)).toBe(failed)
  })

  it('includes when a limit ends, from a separate field or from words', () => {
    const inAnHour = now.epochMs + 3_600_000
    expect(detect(run({ stderr: "You've hit your limit · resets 4:10 PM" }))?.resetsAtMs).toBe(inAnHour)
    const refused = { outcome: 'unavailable', reason: 'the service refused more requests' } as const
    expect(detect(run({ ...refused, resetsAtMs: inAnHour }))?.resetsAtMs).toBe(inAnHour)
    expect(detect(run({ ...refused, reason: 'usage limit, try again in 1h' }))?.resetsAtMs).toBe(inAnHour)
    expect(detect(run({ ...refused, resetsAtMs: 12 }))).not.toHaveProperty('resetsAtMs')
    expect(detect(run(refused))).not.toHaveProperty('resetsAtMs')
  })

  it('is found quickly in megabytes on one line', () => {
    const text = 'error rate limi'.repeat(200_000)
    expect(detect(run({ stdout: text, stderr: text }))).toBeNull()
  })
})
