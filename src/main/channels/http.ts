import { createHmac } from 'node:crypto'
import { unescape as unescaped } from 'node:querystring'

/** The result of one request or mail. */
export interface Sent {
  readonly isAccepted: boolean
  /** A short text without any part of the address. */
  readonly answer: string
  /** True if a retry may help. */
  readonly isPassing: boolean
  /** The pause that the service asks for, in ms. */
  readonly askedForMs: number | null
}

const TIMEOUT_MS = 10_000

/** Posts once. Does not follow redirects, which would send the message to an unknown place. Never rejects. */
export async function post(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Sent> {
  try {
    const address = new URL(url)
    const login = takenLogin(address)
    const response = await fetch(address, {
      method: 'POST',
      body,
      headers: { 'user-agent': 'Pulseward', ...login, ...headers },
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    // The body is not used.
    await response.body?.cancel()
    return {
      isAccepted: response.ok,
      answer: `${response.status} ${response.statusText.slice(0, 60)}`.trim(),
      isPassing: response.status >= 500 || [408, 425, 429].includes(response.status),
      askedForMs: retryAfterMs(response.headers.get('retry-after')),
    }
  } catch (error) {
    return failed(wordsOf(error))
  }
}

/** Removes the login from an address and returns it as a header, because `fetch` rejects addresses with a login. */
function takenLogin(address: URL): Readonly<Record<string, string>> {
  const { username, password } = address
  if (username === '' && password === '') return {}
  const login = `${unescaped(username)}:${unescaped(password)}`
  address.username = ''
  address.password = ''
  return { authorization: `Basic ${Buffer.from(login).toString('base64')}` }
}

export function failed(answer: string, isPassing = true): Sent {
  return { isAccepted: false, answer, isPassing, askedForMs: null }
}

/**
 * Returns the headers of Standard Webhooks: a receiver with the secret can verify that the body is ours and recent. A secret that
 * begins with `whsec_` is base64, any other its own bytes.
 */
export function signature(id: string, atMs: number, body: string, secret: string): Record<string, string> {
  const at = String(Math.floor(atMs / 1000))
  const key = secret.startsWith('whsec_')
    ? Buffer.from(secret.slice('whsec_'.length), 'base64')
    : Buffer.from(secret)
  const signed = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': `v1,${signed}` }
}

function retryAfterMs(header: string | null): number | null {
  if (header === null) return null
  const seconds = Number(header)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now())
}

/** Uses the system's error code if there is one, because its message may contain the address. */
function wordsOf(error: unknown): string {
  if (error instanceof DOMException && error.code === DOMException.TIMEOUT_ERR)
    return `no answer within ${TIMEOUT_MS / 1000} seconds`
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : null
  return code === null ? 'no connection' : `no connection (${code})`
}
