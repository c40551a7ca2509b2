import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { SessionKind } from './one-time-codes.ts'

/** Why a request is refused. */
export interface Refusal {
  readonly status: number
  readonly code: string
  readonly message: string
}

/** Decides who may use the loopback server, from the request's head only. */
export interface RequestGuard {
  /** Refuses requests that were not addressed to this server or come from a foreign page, for every path. */
  refuseForeign(request: IncomingMessage): Refusal | null
  /** Refuses requests without the token or the page's cookie. */
  refuseUnknown(request: IncomingMessage): Refusal | null
  /** Returns whether the request has a token, which the page's cookie is not. */
  showsToken(request: IncomingMessage): boolean
  showsCookie(request: IncomingMessage): boolean
  /** Returns whether its credential is read-only: the read-only token, or the cookie of a page opened with it. */
  readsOnly(request: IncomingMessage): boolean
  /** Returns the `Set-Cookie` value for the operator's page, or for a read-only one. */
  pageCookie(kind: SessionKind): string
  /** The read-only token. It stays valid across restarts, so it may be kept on another machine. */
  readonly readingToken: string
}

const UNAUTHORIZED: Refusal = {
  status: 401,
  code: 'UNAUTHORIZED',
  message: 'Send the header "Authorization: Bearer TOKEN"; "pulseward token" prints the token.',
}

/**
 * Creates a guard for the server on `port`. Any page on the machine can reach a loopback port, through a name it controls (DNS
 * rebinding) or from its own origin, so Host and Origin are checked before the token. Browsers do not separate cookies by port,
 * so the cookie's name contains it, and a page on another port (same site, other origin) is refused by Origin and Sec-Fetch-Site.
 */
export function createRequestGuard(token: string, port: number, pageSecret: string): RequestGuard {
  const hosts = ownHosts(port)
  const origins = hosts.map((host) => `http://${host}`)
  // Derived, so that neither the token can be read from a browser's cookie store, nor one secret from the other.
  const derived = (what: string) => createHmac('sha256', pageSecret).update(what).digest('base64url')
  const cookies = {
    full: { name: `pulseward_${port}`, value: derived(`page cookie, port ${port}`) },
    reading: { name: `pulseward_${port}_reading`, value: derived(`reading cookie, port ${port}`) },
  }
  const readingToken = derived('token for reading')
  const showsTokenOf = (request: IncomingMessage, wanted: string) =>
    isSameSecret(bearerOf(request) ?? '', wanted)
  const showsCookieOf = (request: IncomingMessage, kind: SessionKind) =>
    hasCookie(request, cookies[kind].name, cookies[kind].value)

  const isOwnPage = ({ headers }: IncomingMessage) =>
    headers.origin === undefined
      ? headers['sec-fetch-site'] === 'same-origin'
      : origins.includes(headers.origin)

  return {
    readingToken,
    pageCookie: (kind) =>
      `${cookies[kind].name}=${cookies[kind].value}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${COOKIE_SECONDS}`,
    showsToken: (request) => showsTokenOf(request, token) || showsTokenOf(request, readingToken),
    showsCookie: (request) => showsCookieOf(request, 'full') || showsCookieOf(request, 'reading'),
    readsOnly: (request) =>
      bearerOf(request) === undefined
        ? !showsCookieOf(request, 'full') && showsCookieOf(request, 'reading')
        : showsTokenOf(request, readingToken),

    refuseForeign(request) {
      const { headersDistinct, headers } = request
      const host = headersDistinct.host ?? []
      if (host.length !== 1 || !hosts.includes(host[0]?.toLowerCase() ?? '')) {
        return forbidden(`This server only answers to ${hosts.join(', ')}: check the address.`)
      }
      if (headers.origin !== undefined && !origins.includes(headers.origin)) {
        return forbidden('Requests from pages of another origin are refused.')
      }
      const site = headers['sec-fetch-site']
      const isNavigation = headers['sec-fetch-mode'] === 'navigate' && request.method === 'GET'
      if ((site === 'cross-site' || site === 'same-site') && !isNavigation) {
        return forbidden('Requests from pages of another site are refused.')
      }
      return null
    },

    refuseUnknown(request) {
      const bearer = bearerOf(request)
      if (bearer !== undefined) return this.showsToken(request) ? null : UNAUTHORIZED
      if (!this.showsCookie(request)) return UNAUTHORIZED
      const isReading = request.method === 'GET' || request.method === 'HEAD'
      return isReading || isOwnPage(request)
        ? null
        : forbidden('With only the cookie, changes are allowed from the page itself only.')
    },
  }
}

/** The longest time that browsers keep a cookie. */
const COOKIE_SECONDS = 400 * 24 * 60 * 60

function bearerOf({ headers }: IncomingMessage): string | undefined {
  return /^Bearer +(\S+)$/i.exec(headers.authorization?.trim() ?? '')?.[1]
}

function ownHosts(port: number): string[] {
  const names = ['127.0.0.1', 'localhost', '[::1]']
  // Browsers omit the scheme's default port.
  return [...names.map((name) => `${name}:${port}`), ...(port === 80 ? names : [])]
}

function forbidden(message: string): Refusal {
  return { status: 403, code: 'FORBIDDEN', message }
}

function hasCookie(request: IncomingMessage, name: string, value: string): boolean {
  const cookies = (request.headers.cookie ?? '').split(';').map((cookie) => cookie.trim())
  return cookies.some(
    (cookie) => cookie.startsWith(`${name}=`) && isSameSecret(cookie.slice(name.length + 1), value),
  )
}

/** Compares in constant time. Hashes first, because the comparison needs equal lengths and must not reveal them. */
function isSameSecret(candidate: string, secret: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(candidate), digest(secret))
}
