import { stat } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import { RequestProblem } from '../../api/request-problem.ts'
import { READING, sendError, sendWrongMethod } from './respond.ts'

/** Serves one built page. */
export type StaticFiles = (
  request: IncomingMessage,
  response: ServerResponse,
  pathname: string,
) => Promise<void>

/**
 * Serves the files in `directory`, `index.html` for `/`; never a dotfile or anything outside. Files in `assets/` have a content
 * hash in their name and are cached forever, all others are revalidated each time. Rejects if the directory has no `index.html`.
 */
export async function createStaticFiles(directory: string): Promise<StaticFiles> {
  const index = path.join(directory, 'index.html')
  await stat(index).catch((cause: unknown) => {
    throw new RequestProblem(
      'unavailable',
      `The page is not built: ${index} can't be read. Run "npm run build" and start again.`,
      {
        cause,
      },
    )
  })

  return async (request, response, pathname) => {
    const { method = 'GET' } = request
    if (!READING.includes(method)) {
      return sendWrongMethod(response, 'page', { method, pathname, allowed: READING })
    }
    // Loaded only when a page is requested, because its table of media types is large: commands and the app never request one.
    const { default: send } = await import('send')
    send(request, pathname, { root: directory, cacheControl: false, dotfiles: 'ignore' })
      .on('headers', (res: ServerResponse, file: string) => {
        const isHashed = path.relative(directory, file).startsWith(`assets${path.sep}`)
        res.setHeader('cache-control', isHashed ? 'private, max-age=31536000, immutable' : 'no-store')
      })
      .on('directory', () => sendNotFound(response))
      .on('error', (error: { status?: number }) => {
        const status = error.status ?? 500
        if (status === 416)
          return sendError(response, 'page', { status, code: 'RANGE', message: 'No such range.' })
        if (status < 500) return sendNotFound(response)
        sendError(response, 'page', {
          status,
          code: 'INTERNAL',
          message: "The file can't be read.",
        })
      })
      .pipe(response)
  }
}

export function sendNotFound(response: ServerResponse): void {
  sendError(response, 'page', { status: 404, code: 'NOT_FOUND', message: 'There is no such page.' })
}
