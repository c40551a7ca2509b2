import { describe, expect, it } from 'vitest'
import {
  failureInWords,
  failureRemedy,
  printedFailure,
  SERVICE_FAILURES,
  statedFailure,
} from './service-failure.ts'

/** As programs, SDKs and services put it: what it is, and whether a line of a failed command is enough to know. */
const FAILURES: readonly (readonly [string, string])[] = [
  ["You've hit your limit · resets 7pm (Europe/Berlin)", 'quota'],
  ['You’ve hit your usage limit. Try again in 3h 20m.', 'quota'],
  ['5-hour limit reached ∙ resets 3pm', 'quota'],
  ['Claude AI usage limit reached|1735689600', 'quota'],
  ['Credit balance is too low', 'quota'],
  ['[API Error: You have exhausted your daily quota on this model.]', 'quota'],
  ['Error: You exceeded your current quota, please check your plan and billing details.', 'quota'],
  ['ERROR: exceeded retry limit, last status: 429 Too Many Requests', 'quota'],
  ['openai.RateLimitError: Error code: 429 - {"error":{"type":"insufficient_quota"}}', 'quota'],
  ['Weekly limit reached ∙ resets Nov 25, 3am', 'quota'],
  ["We're currently experiencing high demand, which may cause temporary errors.", 'service'],
  ['error: InternalServerError', 'service'],
  ['API Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}', 'service'],
  ['API Error (500 Internal server error)', 'service'],
  ['The model is overloaded. Please try again later.', 'service'],
  ['unexpected status 503 Service Unavailable', 'service'],
  ['Error: read ECONNRESET', 'network'],
  ['Error: getaddrinfo ENOTFOUND api.anthropic.com', 'network'],
  ['TypeError: fetch failed: connect ETIMEDOUT 160.79.104.10:443', 'network'],
  ['API Error: Connection error.', 'network'],
  ['Error: self-signed certificate in certificate chain', 'network'],
  ['Error: unable to get local issuer certificate', 'network'],
  ['request failed: certificate has expired', 'network'],
  ['curl: (6) error: Could not resolve host: api.openai.com', 'network'],
  ['OAuth token has expired. Please run /login', 'login'],
  ['Not logged in · Please run /login', 'login'],
  ['Invalid API key · Fix external API key', 'login'],
  [
    'Error: 401 {"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}',
    'login',
  ],
  ['ERROR: unexpected status 401 Unauthorized: Missing bearer', 'login'],
  ['unable to get local issuer certificate', 'network'],
  ['curl: (60) SSL certificate problem: unable to get local issuer certificate', 'network'],
  ['tls: failed to verify certificate: x509: certificate signed by unknown authority', 'network'],
  ['self-signed certificate in certificate chain', 'network'],
  ['CERT_HAS_EXPIRED', 'network'],
  ['connect ETIMEDOUT 160.79.104.10:443', 'network'],
  ['Connection timed out.', 'network'],
  ['Network is unreachable', 'network'],
  ['Your credit balance is too low to access the API', 'quota'],
  ["Quota exceeded for quota metric 'Requests'", 'quota'],
  ['402 Payment Required', 'quota'],
  ['API rate limit exceeded', 'quota'],
  ['503 Service Unavailable', 'service'],
  ['Your session has expired', 'login'],
  ['OPENAI_API_KEY environment variable is missing', 'login'],
  ['API key not valid. Please pass a valid API key.', 'login'],
  ['Error: ENOSPC: no space left on device, write', 'disk'],
  ['fatal: write error: No space left on device', 'disk'],
]

describe('what stops an agent that is not the agent', () => {
  it.each(FAILURES)('%s', (line, failure) => {
    expect(statedFailure(line, null)).toBe(failure)
    expect(printedFailure(line)).toBe(failure)
    expect(printedFailure(`2026-11-21T16:10:00Z ERROR ${line}`)).toBe(failure)
  })

  it.each([
    ['401', 'login'],
    ['Error 401', 'login'],
    ['HTTP/1.1 401 Unauthorized', 'login'],
    ['[429]', 'quota'],
    ['status code: 503', 'service'],
    ['error: 529 Overloaded', 'service'],
  ])('a line that is nothing but %j', (line, failure) => {
    expect(printedFailure(line)).toBe(failure)
  })

  it.each([
    'I added handling for rate limit exceeded responses (429 Too Many Requests).',
    'Rate limit exceeded responses are retried now.',
    "You've hit your limit handling: it now shows a banner.",
    'The login page now says "not logged in" to guests.',
    'Overloaded functions were split in two.',
    'Error: connect ECONNREFUSED 127.0.0.1:5432',
    'Error: getaddrinfo ENOTFOUND localhost',
    'FAIL src/login.test.ts > answers 401',
    'AssertionError: expected 200 to be 503',
    '429 files changed',
    '500',
    'exit 401 times',
    'Unauthorized access is now logged',
    'Connection refused errors are retried now',
    'Certificate problems are shown beside the field',
    'The missing API key message names the variable now',
    'connect ECONNREFUSED 127.0.0.1:5432',
    '503 service calls were made',
    '',
  ])('a line of a failed command that says %j is its work', (line) => {
    expect(printedFailure(line)).toBeNull()
  })

  it.each([
    ['anything', 429, 'quota'],
    ['secondary rate limit', 403, 'quota'],
    ['You may not', 403, 'login'],
    ['', 500, 'service'],
    ['the tests of login.ts fail', null, null],
    ['expected 401 lines, found 12', null, null],
    ['the patch could not be applied', null, null],
  ] as const)(
    'goes by the status of the service before its words: %j with %j',
    (message, status, failure) => {
      expect(statedFailure(message, status)).toBe(failure)
    },
  )

  it('each has words and a remedy', () => {
    for (const failure of SERVICE_FAILURES) {
      expect(failureInWords(failure, 'the agent')).toMatch(/^[a-z].*[a-z)]$/)
      expect(failureRemedy(failure)).toMatch(/^[A-Z].*\.$/)
    }
    expect(failureRemedy('login', 'Run `x login`.')).toBe('Run `x login`.')
  })

  it('is quick on megabytes of one line', () => {
    const started = performance.now()
    for (const text of ['error rate limi'.repeat(200_000), '[ '.repeat(1_000_000), 'a: '.repeat(1_000_000)]) {
      expect(printedFailure(text)).toBeNull()
      expect(statedFailure(text, null)).toBeNull()
    }
    expect(performance.now() - started).toBeLessThan(500)
  })
})
