import { describe, expect, it } from 'vitest'
import { processorMs } from '../testing/processor-time.ts'
import { SERVICE_FAILURES } from './failure-words.ts'
import {
  blockedPath,
  failureInWords,
  failureRemedy,
  printedFailure,
  statedFailure,
} from './service-failure.ts'

/** Failures in the words of programs, SDKs and services: which one it is, and whether a line of a failed command is enough to tell. */
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
  ['You must be logged in to use this command.', 'login'],
  ['Error: Could not find credentials for provider anthropic', 'login'],
  ['Error: invalid_grant', 'login'],
  ['ERROR: Your access token could not be refreshed because it was used already. Please log in.', 'login'],
  ['google.auth.exceptions.DefaultCredentialsError: Your default credentials were not found.', 'login'],
  ['Authentication token not found. Run `cursor-agent login`', 'login'],
  [
    'An error occurred (ExpiredTokenException) when calling the InvokeModel operation: The security token included in the request is expired',
    'login',
  ],
  ['Access to model denied: Unpurchased.', 'access'],
  ['Organization has been disabled', 'access'],
  ["You've hit your limit for Claude Opus. Switch to Auto or set a Spend Limit.", 'quota'],
  ['Sorry, you have exceeded your Copilot token usage. Please review our Terms of Service.', 'quota'],
  ["This request would exceed your organization's rate limit of 30,000 input tokens per minute", 'quota'],
  ['Number of request tokens has exceeded your per-minute rate limit', 'quota'],
  ['Error: You have no remaining credits', 'quota'],
  ['Monthly credit limit exceeded', 'quota'],
  ['{"error":{"message":"Insufficient Balance","type":"unknown_error"}}', 'quota'],
  ['google.api_core.exceptions.ResourceExhausted: 429 Quota exceeded for requests per minute', 'quota'],
  ['Error: 500 {"type":"error","error":{"type":"api_error","message":"Internal server error"}}', 'service'],
  ['upstream request timeout', 'network'],
  ['no healthy upstream', 'service'],
  ['Error: Premature close', 'network'],
  ['SocketError: other side closed', 'network'],
  ['Error: Client network socket disconnected before secure TLS connection was established', 'network'],
  ['google.auth.exceptions.RefreshError: Reauthentication is needed', 'login'],
  ['ExpiredToken: The security token included in the request is expired', 'login'],
  ['Error: The provided credentials have expired', 'login'],
  ['Your account has been disabled', 'access'],
  ['Country, region, or territory not supported', 'access'],
  ['User location is not supported for the API use.', 'access'],
  ['Claude is not available in your country', 'access'],
  ['{"error":{"code":"unsupported_country_region_territory"}}', 'access'],
  ['The model `gpt-9` does not exist or you do not have access to it.', 'access'],
  ['Model not found: foo/bar', 'access'],
  ['Your organization must be verified to use the model', 'access'],
  ['botocore.errorfactory.ThrottlingException: Too many tokens, please wait.', 'quota'],
  ['Your free trial has ended', 'quota'],
  ['You have used all of your premium requests for this month', 'quota'],
  ['billing_not_active: Your account is not active, please check your billing details.', 'quota'],
  ['Error: Billing hard limit has been reached', 'quota'],
  ['Your subscription has expired', 'quota'],
  ["You're out of extra usage · resets 8pm", 'quota'],
  ['Error: 429', 'quota'],
  ['The engine is currently overloaded, please try again later', 'service'],
  ['upstream connect error or disconnect/reset before headers', 'service'],
  ['The server had an error while processing your request. Sorry about that!', 'service'],
  ['We are under heavy load', 'service'],
  ['407 Proxy Authentication Required', 'network'],
  ['Error: tunneling socket could not be established, statusCode=407', 'network'],
  ['Could not resolve proxy: proxy.example.org', 'network'],
  ['net::ERR_PROXY_CONNECTION_FAILED', 'network'],
  ['dial tcp: lookup api.openai.com: no such host', 'network'],
  ['dial tcp 160.79.104.10:443: i/o timeout', 'network'],
  ['[Errno -2] Name or service not known', 'network'],
  ["requests.exceptions.ConnectionError: HTTPSConnectionPool(host='api.openai.com', port=443)", 'network'],
  ['tls: handshake failure', 'network'],
  ['error sending request for url (https://api.openai.com/v1/responses)', 'network'],
  ['dns error: failed to lookup address information', 'network'],
  ['{"status":"error","message":"401 The API key is not valid."}', 'login'],
  ['There is not enough space on the disk', 'disk'],
  ['Error: ENOSPC: no space left on device, write', 'disk'],
  ['fatal: write error: No space left on device', 'disk'],
  ["EROFS: read-only file system, open '/work/notes.md'", 'machine'],
  ["Error: EMFILE: too many open files, watch '/work'", 'machine'],
  ['EIO: i/o error, read', 'machine'],
  ["OSError: [Errno 30] Read-only file system: 'notes.md'", 'machine'],
  ["touch: cannot touch 'notes/a.md': Read-only file system", 'machine'],
  ['Too many open files', 'machine'],
  ['EROFS', 'machine'],
  ['Request timed out.', 'network'],
  ['openai.APITimeoutError: Request timed out.', 'network'],
  ['Read timed out.', 'network'],
  ['httpx.ConnectError: [Errno 111] Connection refused', 'network'],
  ['Error: connect ECONNREFUSED 127.0.0.1:11434', 'model-server'],
  ['connect ECONNREFUSED ::1:1234', 'model-server'],
  ['TypeError: fetch failed: connect ECONNREFUSED 127.0.0.1:11434', 'model-server'],
  ["Error: could not connect to ollama server, run 'ollama serve' to start it", 'model-server'],
  ['Error: could not connect to ollama app, is it running?', 'model-server'],
  ['Failed to connect to LM Studio server at http://localhost:1234', 'model-server'],
  ['error sending request for url (http://localhost:8080/v1/chat/completions)', 'model-server'],
  [
    'Post "http://127.0.0.1:11434/api/chat": dial tcp 127.0.0.1:11434: connect: connection refused',
    'model-server',
  ],
  [
    "HTTPConnectionPool(host='localhost', port=11434): Max retries exceeded with url: /api/generate",
    'model-server',
  ],
  ['curl: (7) Failed to connect to localhost port 1234 after 0 ms: Connection refused', 'model-server'],
  ['Error: model requires more system memory (5.6 GiB) than is available (3.9 GiB)', 'model-server'],
  ['Error: llama runner process has terminated: signal: killed', 'model-server'],
  ['Error: 429 Too Many Requests (retried 5 times)', 'quota'],
  ['Rate limit exceeded, retried 3 times', 'quota'],
  ['Error: quota exceeded: the session was not created', 'quota'],
  ['Error: quota exceeded: no payment method added', 'quota'],
  ["You've hit your limit. Upgrade now to continue", 'quota'],
  ['Retry attempt 3 failed: 503 Service Unavailable', 'service'],
  ['retries exhausted: error 529 overloaded_error', 'service'],
  ['httpx.ReadTimeout: The read operation timed out', 'network'],
]

describe('what stops an agent but is not the agent’s fault', () => {
  it.each(FAILURES)('%s', (line, failure) => {
    expect(statedFailure(line, null)).toBe(failure)
    expect(printedFailure(line)).toBe(failure)
    expect(printedFailure(`2026-11-21T16:10:00Z ERROR ${line}`)).toBe(failure)
  })

  it.each([
    ['google.api_core.exceptions.ServiceUnavailable: 503 failed to connect to all addresses', 'service'],
    ['httpx.RemoteProtocolError: peer closed connection without sending complete message body', 'network'],
    ['TypeError: terminated', 'network'],
    [
      'aiohttp.client_exceptions.ClientConnectorError: Cannot connect to host api.example.org:443 ssl:default',
      'network',
    ],
    [
      "urllib3.exceptions.ProtocolError: ('Connection aborted.', RemoteDisconnected('Remote end closed'))",
      'network',
    ],
  ])('the last line of a trace: %j', (line, failure) => {
    expect(printedFailure(line)).toBe(failure)
    expect(statedFailure(line, null)).toBe(failure)
  })

  it.each([
    ['401', 'login'],
    ['Error 401', 'login'],
    ['HTTP/1.1 401 Unauthorized', 'login'],
    ['[429]', 'quota'],
    ['status code: 503', 'service'],
    ['error: 529 Overloaded', 'service'],
    ['{"status":"error","message":"503 status code (no body)"}', 'service'],
  ])('a line that is only %j', (line, failure) => {
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
    "AssertionError: expected 'model_not_found' to be null",
    'FAIL src/errors.test.ts > maps ThrottlingException to a retry',
    'net::ERR_CONNECTION_REFUSED at http://localhost:3000/',
    'dial tcp 127.0.0.1:5432: connect: connection refused',
    'ProxyError handling was added',
    'Not authenticated users are redirected now',
    'Too many tokens in the lexer made it slow',
    'Internal error messages are shown in red',
    'Missing credentials are reported beside the field',
    'The model does not exist yet, so I made it',
    'Request timed out handling was added',
    'EIO errors are retried now',
    "AssertionError: expected 'EROFS' to be 'ENOENT'",
    'Read-only file system support was tested',
    'Error: request timed out waiting for localhost:3000',
    'limit exceeded is retried',
    'Rate limit reached: waiting list built',
    'Usage limit exceeded - banner created',
    'Rate limit exceeded is retried now.',
    'A rate limit exceeded error is retried three times now.',
    'Error: rate limit exceeded is retried',
    'Usage limit reached, is retried',
    'Too many requests: retried now',
    'Quota exceeded: handled by retrying, with tests.',
    'The "usage limit reached" banner has an error state now',
    'Requests that failed with "rate limit exceeded" are retried with backoff.',
    'Session limit reached; I stopped the test server',
    'Please log in again is shown to the guest',
    'token expired - refresh it (done)',
    'expired access token now renews itself; the error is gone',
    'retries ECONNRESET failures',
    'a failed socket hang up is retried',
    'Connection refused: retried now',
    'Disk full: the error is shown',
    'Your subscription has expired: page added',
    'RateLimitError - added to the list of errors',
    'error handling: 503 Service Unavailable',
    'fix: error on 429 Too Many Requests',
    'FAIL src/client.test.ts > Error: getaddrinfo ENOTFOUND api.example.org',
    'Expected "rate limit exceeded" error, got nothing',
    'Tests failed: rate limited clients get 429',
    // The agent's own server: neither port, path nor name is a model server's.
    'Error: connect ECONNREFUSED 127.0.0.1:8080',
    'curl: (7) Failed to connect to localhost port 3000: Connection refused',
    'error sending request for url (http://localhost:8080/api/users)',
    'FAIL src/ollama.test.ts > Error: connect ECONNREFUSED 127.0.0.1:11434',
    'The client says when ollama is not running, with a test for ECONNREFUSED 127.0.0.1:11434',
    'Connection refused by 127.0.0.1:11434 is shown as "Start Ollama"',
    'No models loaded is handled by a banner',
    'Too many open files were left by the watcher; it closes them now',
    'Prompt is too long: 210000 tokens > 200000 maximum',
    'TypeError: terminated is not a function',
    'sh: line 3: 4711 Terminated',
    'Premature close is handled in stream.ts',
    'FAIL src/pay.test.ts > {"message":"Insufficient Balance"}',
    'Insufficient balance is shown beside the card',
    "requests.exceptions.ConnectionError: HTTPConnectionPool(host='localhost', port=8000): Max retries exceeded",
    'An error occurred (NoSuchBucket) when calling the ListObjects operation: The bucket does not exist',
    'ServiceUnavailable errors are retried now',
    'You have hit your limit for today in the settings page, as the test says',
    "This model's maximum context length is 8192 tokens",
    '',
  ])('treats %j in a failed command’s output as its work', (line) => {
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
  ] as const)('prefers the service’s status code to its words: %j with %j', (message, status, failure) => {
    expect(statedFailure(message, status)).toBe(failure)
  })

  it('has words and a remedy for each', () => {
    for (const failure of SERVICE_FAILURES) {
      expect(failureInWords(failure, 'the agent')).toMatch(/^[a-z].*[a-z)]$/)
      expect(failureRemedy(failure)).toMatch(/^[A-Z].*\.$/)
    }
    expect(failureRemedy('login', { loginHint: 'Run `x login`.' })).toBe('Run `x login`.')
  })

  it('is fast on megabytes in one line', () => {
    const tookMs = processorMs(() => {
      for (const text of [
        'error rate limi'.repeat(200_000),
        '[ '.repeat(1_000_000),
        'a: '.repeat(1_000_000),
      ]) {
        expect(printedFailure(text)).toBeNull()
        expect(statedFailure(text, null)).toBeNull()
      }
    })
    expect(tookMs).toBeLessThan(500)
  })
})

it.each<[string, string | null]>([
  ["EROFS: read-only file system, open '/work/notes.md'", 'to /work/notes.md'],
  ["OSError: [Errno 30] Read-only file system: 'notes.md'", 'to notes.md'],
  ["touch: cannot touch 'notes/a.md': Read-only file system", 'to notes/a.md'],
  ['bash: /etc/hosts: Read-only file system', 'to /etc/hosts'],
  ['EROFS', null],
])('never blames the machine for a write that a sandbox blocks: %s', (words, path) => {
  const said = failureInWords('machine', 'claude', words)
  expect(said).toMatch(/^Pulseward’s sandbox, or a read-only file system, blocked a write/u)
  expect(said).not.toContain('machine failed')
  if (path !== null) expect(said).toContain(path)
  expect(failureRemedy('machine', { words })).toContain('`writable`')
  // Only an absolute path can be allowed with a click.
  expect(blockedPath(`${said}: "${words}".`)).toBe(path?.startsWith('to /') === true ? path.slice(3) : null)
})

it('still blames the machine for a failing disk', () => {
  expect(failureInWords('machine', 'claude', 'EIO: i/o error, read')).toContain('this machine failed')
})
