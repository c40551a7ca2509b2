import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { ORPCError } from '@orpc/client'
import { StandardRPCJsonSerializer, StandardRPCSerializer } from '@orpc/client/standard'
import { CONTENT_SECURITY_POLICY } from '../../api/content-security-policy.ts'
import type { Refusal } from './request-guard.ts'

/** The form in which a client reads errors: as the API's JSON, as an RPC client's, or as a page. */
export type Audience = 'api' | 'rpc' | 'page'

const SECURITY_HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
}

const rpcSerializer = new StandardRPCSerializer(new StandardRPCJsonSerializer())

/** Sets the headers that every response has; cacheable responses override them. */
export function setSecurityHeaders(response: ServerResponse): void {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value)
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const bytes = Buffer.from(JSON.stringify(body))
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length })
    .end(bytes)
}

export function sendText(response: ServerResponse, text: string, contentType: string, status = 200): void {
  const bytes = Buffer.from(text)
  response.writeHead(status, { 'content-type': contentType, 'content-length': bytes.length }).end(bytes)
}

/** Returns the body of every HTTP API error. */
export function errorBody(error: { code: string; message: string }) {
  return { error: { code: error.code, message: error.message } }
}

/** Sends a refusal or failure in the form its audience reads; cuts off a response that has already begun. */
export function sendError(response: ServerResponse, audience: Audience, error: Refusal): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  response.setHeader('cache-control', 'no-store')
  if (error.status === 401) response.setHeader('www-authenticate', 'Bearer realm="pulseward"')
  if (audience === 'page') sendPage(response, error.status, errorPage(error))
  else sendJson(response, error.status, audience === 'api' ? errorBody(error) : rpcErrorBody(error))
}

/** Methods for resources that can only be read; HEAD is supported. */
export const READING: readonly string[] = ['GET', 'HEAD']

/** Answers a request with a method that the path does not accept; lists those that it does. */
export function sendWrongMethod(
  response: ServerResponse,
  audience: Audience,
  { method, pathname, allowed }: WrongMethod,
): void {
  response.setHeader('allow', allowed.join(', '))
  const message = `${pathname} does not accept ${method}: use ${allowed.join(' or ')}.`
  sendError(response, audience, { status: 405, code: 'METHOD_NOT_SUPPORTED', message })
}

interface WrongMethod {
  readonly method: string
  readonly pathname: string
  readonly allowed: readonly string[]
}

function rpcErrorBody({ code, status, message }: Refusal): unknown {
  return rpcSerializer.serialize(new ORPCError(code, { status, message }).toJSON())
}

function sendPage(response: ServerResponse, status: number, html: string): void {
  const bytes = Buffer.from(html)
  response.setHeader('content-security-policy', errorPagePolicy())
  response
    .writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'content-length': bytes.length })
    .end(bytes)
}

/** Error pages have their own style sheet, because the name of the page's style sheet changes with each build. */
const ERROR_PAGE_STYLE = `
:root { color-scheme: light dark; font: 15px/1.6 system-ui, sans-serif }
body { min-height: 80vh; margin: 0; padding: 24px; display: grid; place-content: center }
main { max-width: 34rem }
h1 { margin: 0 0 16px; font-size: 22px; line-height: 1.3 }
code { font-size: 13px; white-space: nowrap }
`

/** Allows only that style: no script, no image, no form. */
function errorPagePolicy(): string {
  const hash = createHash('sha256').update(ERROR_PAGE_STYLE).digest('base64')
  return `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
}

function errorPage(error: Refusal): string {
  const words =
    error.status === 401
      ? `<p>This page needs the key that comes with its address.</p>
<p>Open the address that <code>pulseward serve</code> printed: it is good once, for a minute. For another, run
<code>pulseward serve --open</code>.</p>
<p>If you have just done that, <a href="/">go on to the page</a>.</p>`
      : `<p>${escapeHtml(error.message)}</p>`
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Pulseward</title>
<style>${ERROR_PAGE_STYLE}</style>
<main>
<h1>Pulseward</h1>
${words}
</main>
</html>
`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
