import { readFile } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'
import { protocol } from 'electron'
import { CONTENT_SECURITY_POLICY } from '../../api/content-security-policy.ts'

/** `.invalid` is reserved: no such host can exist (RFC 2606). */
const PAGE_ORIGIN = 'https://page.pulseward.invalid'
export const PAGE_URL = `${PAGE_ORIGIN}/index.html`

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/**
 * Serves the built page from `directory` at `PAGE_URL`. It takes over https as a whole, so that the page has a standard, secure
 * origin without a scheme of its own (which Electron wants registered before it is ready, hence before an ES module
 * has loaded) and so that no https request of the page ever reaches a network.
 */
export function servePage(directory: string): void {
  const root = normalize(directory + sep)
  protocol.handle('https', (request) => respond(root, new URL(request.url)))
}

/**
 * Loads what answers are made of, which Node.js does when it is first named. To be called while the window's process starts: the first
 * answer would wait for it.
 */
export function prepareAnswers(): void {
  void new Response()
}

async function respond(root: string, url: URL): Promise<Response> {
  const file = normalize(join(root, decodeURIComponent(url.pathname)))
  const type = contentTypes[extname(file)]
  if (url.origin !== PAGE_ORIGIN || !file.startsWith(root) || type === undefined) return notFound()
  try {
    return new Response(new Uint8Array(await readFile(file)), {
      headers: {
        'Content-Type': type,
        'Content-Security-Policy': CONTENT_SECURITY_POLICY,
        'X-Content-Type-Options': 'nosniff',
        'Referrer-Policy': 'no-referrer',
      },
    })
  } catch {
    return notFound()
  }
}

function notFound(): Response {
  return new Response('Not found', { status: 404 })
}
