import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'

/** Requests to the API of GitHub, or of a forge with the same API. Paths and bodies follow its published description. */
export interface Forge {
  /** Messages of a pull request's commits, oldest first; at most 250, the API's limit. */
  readonly commitMessages: (pull: number) => Promise<readonly string[]>
  readonly createCheck: (check: CheckRun) => Promise<void>
  /** Updates the comment that it posted earlier; if there is none, posts one if `isNeeded`. */
  readonly comment: (pull: number, body: string, isNeeded: boolean) => Promise<void>
}

export interface CheckRun {
  readonly name: string
  readonly head_sha: string
  readonly status: 'completed'
  readonly conclusion: 'success' | 'failure' | 'neutral'
  readonly output: {
    readonly title: string
    readonly summary: string
    readonly annotations: readonly {
      readonly path: string
      readonly start_line: number
      readonly end_line: number
      readonly annotation_level: 'notice' | 'warning' | 'failure'
      readonly message: string
      readonly title: string
    }[]
  }
}

/** The forge refused a request or didn't answer; the job goes on without the result. */
export class ForgeProblem extends Error {
  override readonly name = 'ForgeProblem'
}

export interface ForgeOptions {
  readonly api: string
  /** `owner/name` of the repository. */
  readonly repository: string
  readonly token: string
  readonly signal: AbortSignal
  /** Pause between tries, in ms; for tests. */
  readonly backOffMs?: number
}

const TRIES = 3
const BACK_OFF_MS = 1000
/** Give up if a rate limit lasts longer than this. */
const MAX_WAIT_MS = 60_000
/** Comments are searched for our own up to this page. */
const MAX_COMMENT_PAGES = 30
const MARK = '<!-- pulseward-verdict -->'

const commitsSchema = z.array(z.object({ commit: z.object({ message: z.string() }) }))
const commentsSchema = z.array(
  z.object({ id: z.number(), body: z.string().nullish(), user: z.object({ type: z.string() }).nullish() }),
)

export function openForge({ api, repository, token, signal, backOffMs = BACK_OFF_MS }: ForgeOptions): Forge {
  const ask = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await send(method, path, body)
      if (answer.ok) return answer.status === 204 ? null : await documentIn(answer, `${method} ${path}`)
      const wait = waitOf(answer, attempt, backOffMs)
      if (attempt >= TRIES || wait === null || wait > MAX_WAIT_MS)
        throw new ForgeProblem(
          `${method} ${path} was answered with ${answer.status}${wait !== null && wait > MAX_WAIT_MS ? ' (rate limit)' : ''}`,
        )
      await delay(wait, undefined, { signal }).catch(() => {
        throw new ForgeProblem(`${method} ${path} was answered with ${answer.status}, and time ran out`)
      })
    }
  }
  const send = async (method: string, path: string, body: unknown): Promise<Response> => {
    try {
      return await fetch(`${api}/repos/${repository}${path}`, {
        method,
        signal,
        redirect: 'error',
        headers: {
          accept: 'application/vnd.github+json',
          authorization: `Bearer ${token}`,
          'user-agent': 'pulseward',
          'x-github-api-version': '2022-11-28',
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
    } catch (error) {
      throw new ForgeProblem(
        `${method} ${path} got no answer: ${error instanceof Error ? error.message : String(error)}`,
      )
    }
  }
  const findComment = async (pull: number): Promise<number | null> => {
    for (let page = 1; page <= MAX_COMMENT_PAGES; page += 1) {
      const path = `/issues/${pull}/comments?per_page=100&page=${page}`
      const { data: found } = commentsSchema.safeParse(await ask('GET', path))
      if (found === undefined) throw new ForgeProblem(`GET ${path} was not answered with comments`)
      const own = found.find((each) => each.body?.startsWith(MARK) && each.user?.type === 'Bot')
      if (own !== undefined || found.length < 100) return own?.id ?? null
    }
    return null
  }
  return {
    commitMessages: async (pull) => {
      const messages: string[] = []
      for (let page = 1; page <= 3; page += 1) {
        const found = commitsSchema.parse(
          await ask('GET', `/pulls/${pull}/commits?per_page=100&page=${page}`),
        )
        messages.push(...found.map(({ commit }) => commit.message))
        if (found.length < 100) break
      }
      return messages
    },
    createCheck: async (check) => void (await ask('POST', '/check-runs', check)),
    comment: async (pull, body, isNeeded) => {
      const own = await findComment(pull)
      const text = { body: `${MARK}\n${body}` }
      if (own !== null) await ask('PATCH', `/issues/comments/${own}`, text)
      else if (isNeeded) await ask('POST', `/issues/${pull}/comments`, text)
    },
  }
}

async function documentIn(answer: Response, request: string): Promise<unknown> {
  try {
    return await answer.json()
  } catch {
    throw new ForgeProblem(`${request} was not answered with JSON`)
  }
}

/** Returns how long to wait before the next try, in ms; `null` if a retry would get the same answer. */
function waitOf({ status, headers }: Response, attempt: number, backOffMs: number): number | null {
  const after = Number(headers.get('retry-after'))
  if (after > 0 && (status === 403 || status === 429)) return after * 1000
  if ((status === 403 || status === 429) && headers.get('x-ratelimit-remaining') === '0')
    return Math.max(0, Number(headers.get('x-ratelimit-reset')) * 1000 - Date.now())
  return status >= 500 ? backOffMs * 2 ** (attempt - 1) : null
}
