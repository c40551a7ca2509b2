import { readFile } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'
import { protocol } from 'electron'
import { CONTENT_SECURITY_POLICY } from '../../api/content-security-policy.ts'

/** The page has an origin of its own, unlike a file, so that the content security policy and storage are per origin. */
export const PAGE_SCHEME = 'pulseward-app'
export const PAGE_URL = `${PAGE_SCHEME}://page/index.html`

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/** Must be called before the app is ready. */
export function registerPageScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: PAGE_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ])
}

/** Serves the built page from `directory`; nothing outside of it can be had. */
export function servePage(directory: string): void {
  const root = normalize(directory + sep)
  protocol.handle(PAGE_SCHEME, async (request) => {
    const file = normalize(join(root, decodeURIComponent(new URL(request.url).pathname)))
    const type = contentTypes[extname(file)]
    if (!file.startsWith(root) || type === undefined) return new Response('Not found', { status: 404 })
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
      return new Response('Not found', { status: 404 })
    }
  })
}
