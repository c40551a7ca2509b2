import type { IncomingMessage } from 'node:http'
import { RequestProblem } from '../../api/request-problem.ts'
import { isSafe } from './source.ts'

/** After this long without data, the server is given up on. */
const SILENCE_MS = 30_000
const MAXIMUM_FEED_BYTES = 4 * 1024 * 1024

/** Downloads the feed's text. Rejects with a `RequestProblem`: unreachable, refused, or too long. */
export async function fetchText(url: string, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of fetchBytes(url, signal)) {
    bytes += chunk.length
    if (bytes > MAXIMUM_FEED_BYTES) throw unavailable(`${url} sends more than a feed has.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Yields the response of `url` as it arrives. Sends nothing about this machine except the request. */
export async function* fetchBytes(url: string, signal: AbortSignal): AsyncGenerator<Buffer> {
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(), SILENCE_MS)
  const headers = { 'user-agent': 'pulseward', accept: '*/*' }
  try {
    const answer = await open(url, headers, AbortSignal.any([signal, silence.signal]))
    for await (const chunk of answer) {
      timer.refresh()
      yield Buffer.from(chunk)
    }
  } catch (error) {
    if (error instanceof RequestProblem) throw error
    if (silence.signal.aborted) throw unavailable(`${url} sent nothing for ${SILENCE_MS / 1000} s.`)
    if (signal.aborted) throw unavailable('Pulseward is stopping.')
    throw unavailable(
      `${url} can't be downloaded: ${error instanceof Error ? error.message : String(error)}.`,
    )
  } finally {
    clearTimeout(timer)
  }
}

const MOST_REDIRECTS = 5

/**
 * Follows redirects. Doesn't use `fetch`, whose parser fails an uncatchable assertion if a server closes the connection while its
 * data is still being written to disk.
 */
async function open(
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
  redirects = 0,
): Promise<IncomingMessage> {
  if (!isSafe(url)) throw unavailable(`${url} is a redirect target without https.`)
  const { get } = await (url.startsWith('https:') ? import('node:https') : import('node:http'))
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers, signal, agent: false }, resolve).on('error', reject)
  })
  const { statusCode = 0, headers: said } = answer
  if (statusCode === 200) return answer
  answer.destroy()
  const isRedirect = [301, 302, 303, 307, 308].includes(statusCode) && said.location !== undefined
  if (!isRedirect || redirects === MOST_REDIRECTS) throw unavailable(`${url} answered ${statusCode}.`)
  return open(new URL(said.location ?? '', url).href, headers, signal, redirects + 1)
}

function unavailable(message: string): RequestProblem {
  return new RequestProblem('unavailable', `${message} Nothing was changed.`)
}
