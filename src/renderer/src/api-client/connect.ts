import { type ApiClient, createHttpClient, createPortClient } from '../../../api/client.ts'

/**
 * The API as this page reaches it: over the MessagePort that the desktop's preload script posts, or over HTTP to the server that the page
 * came from. Only the preload can post the port: messages from other origins are ignored.
 */
export function connectApi(page: Window): Promise<ApiClient> {
  if (isServed(page)) return Promise.resolve(createHttpClient({ url: page.location.origin }))
  return new Promise((resolve) => {
    const receive = (event: MessageEvent) => {
      const port = event.ports[0]
      if (event.source !== page || event.data !== 'pulseward-port' || port === undefined) return
      page.removeEventListener('message', receive)
      resolve(createPortClient(port))
    }
    page.addEventListener('message', receive)
  })
}

/**
 * Returns whether a host serves this page over http: to a browser, or to a desktop window whose data folder another process owns.
 * The desktop's built-in page has an https origin, and during development it comes from a server that is not a host.
 */
function isServed(page: Window): boolean {
  return page.location.protocol === 'http:' && !import.meta.env.DEV
}
