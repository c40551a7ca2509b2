import { readFile } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'
import { type ProtocolResponse, protocol } from 'electron'
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

/** Electron's answer to a request for an address of the page. */
type Answer = ProtocolResponse & { readonly data: Buffer }

/**
 * Serves the built page from `directory` at `PAGE_URL`. It handles all https requests. That gives the page a standard, secure
 * origin without a custom scheme (which would have to be registered before Electron is ready, and so before an ES module has
 * loaded), and none of the page's https requests ever reaches a network.
 *
 * Electron recommends `protocol.handle`, which answers with web `Response` objects: the first one makes Node.js load its
 * `fetch`, which delays the first paint, and each goes through two streams. `protocol.registerSource` needs neither; use it
 * once Electron no longer calls it experimental.
 */
export function servePage(directory: string): void {
  const root = normalize(directory + sep)
  protocol.interceptBufferProtocol('https', ({ url }, answer) => {
    void respond(root, new URL(url)).then(answer)
  })
}

async function respond(root: string, { origin, pathname }: URL): Promise<Answer> {
  try {
    const file = normalize(join(root, decodeURIComponent(pathname)))
    const type = contentTypes[extname(file)]
    if (origin !== PAGE_ORIGIN || !file.startsWith(root) || type === undefined) return notFound()
    return {
      data: await readFile(file),
      headers: {
        'Content-Type': type,
        'Content-Security-Policy': CONTENT_SECURITY_POLICY,
        'X-Content-Type-Options': 'nosniff',
        'Referrer-Policy': 'no-referrer',
      },
    }
  } catch {
    // No such file, or a malformed address.
    return notFound()
  }
}

function notFound(): Answer {
  return { statusCode: 404, mimeType: 'text/plain', data: Buffer.from('Not found') }
}
