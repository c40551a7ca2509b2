import { tokenVariable } from '../../core/configuration/landing.ts'
import type { AttemptResult } from '../../core/record/events.ts'
import type { LandingRecord } from '../../core/record/landing-record.ts'
import type { WorkspaceConfig } from '../ports/workspace-config.ts'
import { ask, tryAsk } from './git.ts'
import type { Repository, Target } from './repository.ts'

/** The desired pull request. */
export interface PullRequest {
  readonly branch: string
  readonly target: string
  readonly title: string
  readonly body: string
}

export type StatusState = 'pending' | 'success' | 'failure' | 'error'

/** Sends commit statuses and pull requests. All methods reject with a `ForgeProblem`, a sentence for the operator. */
export interface Forge {
  /** `url`: the link shown with the status. */
  status(commit: string, state: StatusState, description: string, url?: string): Promise<void>
  /** Creates the pull request of this branch or updates the open one; never creates a second one. */
  pull(
    number: number | null,
    request: PullRequest,
  ): Promise<{ readonly number: number; readonly url: string }>
  close(number: number): Promise<void>
  /** Returns how the pull request ended; `null`: it is open. */
  end(number: number): Promise<PullEnd | null>
  /** Returns the text of a pull request: the verdict as a table, and the trailers for a manual merge. */
  body(entry: LandingRecord, result: AttemptResult | null, trailers: string): string
}

/** How a pull request ended. `commit`: the one by which it was merged; `null`: the forge does not say. */
export type PullEnd =
  | { readonly kind: 'refused' }
  | { readonly kind: 'merged'; readonly commit: string | null }

/** Why a request to a forge failed, and whether a retry can help. */
export class ForgeProblem extends Error {
  override readonly name = 'ForgeProblem'
  readonly isPassing: boolean
  constructor(message: string, isPassing: boolean) {
    super(message)
    this.isPassing = isPassing
  }
}

type ForgeName = NonNullable<WorkspaceConfig['landing']['forge']>

export interface ForgeAddress {
  readonly forge: ForgeName
  /** Base of the API, without a trailing slash. */
  readonly url: string
  readonly owner: string
  readonly repository: string
}

/** Longest description of a status that all forges accept. */
const MAX_DESCRIPTION = 140
const CONTEXT = 'pulseward'
const TIMEOUT_MS = 20_000
/** Pauses before retries. If the forge asks for a longer one, the request waits for the next look at the queue. */
const PAUSES_MS = [250, 1000]
const MAX_PAUSE_MS = 5000
const MAX_ANSWER_BYTES = 4 * 1024 * 1024
const MAX_URL = 2000
/** Forgejo cannot filter by branch, so all open pull requests are searched. */
const PAGE = 50
const MAX_PAGES = 40

const PUBLIC: Readonly<Record<ForgeName, (host: string) => string>> = {
  github: (host) =>
    /^(?:ssh\.)?github\.com$/.test(host) ? 'https://api.github.com' : `https://${host}/api/v3`,
  gitlab: (host) => `https://${host === 'altssh.gitlab.com' ? 'gitlab.com' : host}/api/v4`,
  forgejo: (host) => `https://${host}/api/v1`,
}

/** Returns the configured forge, or `null` if none is configured or its token is missing. Rejects if no remote names the repository. */
export async function openForge(
  { forge, url, tokenEnv }: WorkspaceConfig['landing'],
  { git }: Repository,
  { remote }: Target,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Forge | null> {
  if (forge === null) return null
  const token = environment[tokenVariable({ forge, tokenEnv }) ?? '']
  if (token === undefined || token === '') return null
  const address = await addressOf({ forge, url }, await remoteUrl(git, remote))
  return createForge(address, token)
}

async function remoteUrl(git: Repository['git'], remote: string | null): Promise<string> {
  const name =
    remote ?? ((await tryAsk(git, 'remote'))?.split('\n').includes('origin') === true ? 'origin' : null)
  if (name === null)
    throw new ForgeProblem(
      'No remote says which repository of the forge this is: add one, such as origin.',
      false,
    )
  return ask(git, 'remote', 'get-url', name)
}

/** Returns the forge and repository of a remote's address: `git@host:owner/name.git`, `https://host/owner/name`. */
export async function addressOf(
  { forge, url }: { readonly forge: ForgeName; readonly url: string | null },
  remote: string,
): Promise<ForgeAddress> {
  const [, host = '', path = ''] =
    /^(?:[a-z+]+:\/\/)(?:[^@/]*@)?([^/:]+)(?::\d+)?\/(.+)$/i.exec(remote) ??
    /^(?:[^@/\s]+@)?([^/:\s]+):(?!\/\/)(.+)$/.exec(remote) ??
    /^(?:file:\/\/)?(\/).*?\/?([^/]+\/[^/]+)$/.exec(remote) ??
    []
  const parts = path
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .split('/')
    .filter((part) => part !== '')
  const repository = parts.at(-1)
  const owner = (forge === 'gitlab' ? parts.slice(0, -1) : parts.slice(-2, -1)).join('/')
  if (repository === undefined || owner === '' || (host === '/' && url === null))
    throw new ForgeProblem('The remote’s address does not say which repository of the forge this is.', false)
  return { forge, url: (url ?? PUBLIC[forge](host.toLowerCase())).replace(/\/+$/, ''), owner, repository }
}

/** Returns a client for one repository. */
export function createForge(
  address: ForgeAddress,
  token: string,
  pauses: readonly number[] = PAUSES_MS,
): Forge {
  const api = createApi(address, token, pauses)
  const forge = address.forge === 'gitlab' ? gitlab(api, address) : githubLike(api, address)
  return { ...forge, body: bodyOf }
}

type Api = (method: string, path: string, body?: unknown) => Promise<unknown>

/** GitHub and Forgejo, whose API follows GitHub's. */
function githubLike(api: Api, { forge, owner, repository }: ForgeAddress): Omit<Forge, 'body'> {
  const base = `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repository)}`
  const isForgejo = forge === 'forgejo'
  const fullName = `${owner}/${repository}`.toLowerCase()
  // A fork can have a branch of the same name; its pull requests are not ours.
  const isOwn = (each: unknown, { branch, target }: PullRequest): boolean =>
    textAt(each, 'head', 'ref') === branch &&
    textAt(each, 'base', 'ref') === target &&
    textAt(each, 'head', 'repo', 'full_name')?.toLowerCase() === fullName
  const findOpen = async (request: PullRequest): Promise<number | null> => {
    const { branch, target } = request
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      const query = isForgejo
        ? `state=open&limit=${PAGE}&page=${page}`
        : `state=open&head=${encodeURIComponent(`${owner}:${branch}`)}&base=${encodeURIComponent(target)}`
      const open = await api('GET', `${base}/pulls?${query}`)
      const found = Array.isArray(open) ? open : []
      const number = numberAt(
        found.find((each) => isOwn(each, request)),
        'number',
      )
      if (number !== null || !isForgejo || found.length === 0) return number
    }
    return null
  }
  return {
    status: async (commit, state, description, url) => {
      await api('POST', `${base}/statuses/${commit}`, {
        state,
        context: CONTEXT,
        description: shortened(description),
        ...linkTo(url),
      })
    },
    pull: async (number, request) => {
      const { branch: head, target, title, body } = request
      const answer = await openOrUpdate(number, {
        findOpen: () => findOpen(request),
        create: () => api('POST', `${base}/pulls`, { head, base: target, title, body }),
        update: (known) => api('PATCH', `${base}/pulls/${known}`, { title, body, base: target }),
      })
      return pullOf(answer, 'html_url', 'number')
    },
    close: async (number) => {
      await api('PATCH', `${base}/pulls/${number}`, { state: 'closed' })
    },
    end: async (number) => endOf(await api('GET', `${base}/pulls/${number}`), ['merge_commit_sha']),
  }
}

const GITLAB_STATES: Readonly<Record<StatusState, string>> = {
  pending: 'pending',
  success: 'success',
  failure: 'failed',
  error: 'failed',
}

/** Where a merge request names the commit by which it was merged: the last one if it was fast-forwarded. */
const GITLAB_MERGED_AS = ['merge_commit_sha', 'squash_commit_sha', 'sha']

function gitlab(api: Api, { owner, repository }: ForgeAddress): Omit<Forge, 'body'> {
  const base = `/projects/${encodeURIComponent(`${owner}/${repository}`)}`
  const findOpen = async ({ branch, target }: PullRequest): Promise<number | null> => {
    const query = `state=opened&source_branch=${encodeURIComponent(branch)}&target_branch=${encodeURIComponent(target)}&per_page=100`
    const open = await api('GET', `${base}/merge_requests?${query}`)
    // A fork can have a branch of the same name; its merge requests are not ours.
    const own = (Array.isArray(open) ? open : []).find((each) => {
      const source = numberAt(each, 'source_project_id')
      return source !== null && source === numberAt(each, 'target_project_id')
    })
    return numberAt(own, 'iid')
  }
  return {
    status: async (commit, state, description, url) => {
      try {
        await api('POST', `${base}/statuses/${commit}`, {
          state: GITLAB_STATES[state],
          name: CONTEXT,
          description: shortened(description),
          ...linkTo(url),
        })
      } catch (error) {
        // The commit has this status already.
        if (!(error instanceof Answered) || !/cannot transition status/i.test(error.said)) throw error
      }
    },
    pull: async (number, request) => {
      const { branch, target, title, body } = request
      const pull = { title, description: body, target_branch: target }
      const answer = await openOrUpdate(number, {
        findOpen: () => findOpen(request),
        create: () => api('POST', `${base}/merge_requests`, { source_branch: branch, ...pull }),
        update: (known) => api('PUT', `${base}/merge_requests/${known}`, pull),
      })
      return pullOf(answer, 'web_url', 'iid')
    },
    close: async (number) => {
      await api('PUT', `${base}/merge_requests/${number}`, { state_event: 'close' })
    },
    end: async (number) => endOf(await api('GET', `${base}/merge_requests/${number}`), GITLAB_MERGED_AS),
  }
}

/** Updates the pull request that is known or open, or creates it: one can be created in between, and a deleted one has to be replaced. */
async function openOrUpdate(
  number: number | null,
  {
    findOpen,
    create,
    update,
  }: {
    readonly findOpen: () => Promise<number | null>
    readonly create: () => Promise<unknown>
    readonly update: (number: number) => Promise<unknown>
  },
): Promise<unknown> {
  const createOne = (): Promise<unknown> =>
    create().catch(async (error: unknown) => {
      // It was created in between, or an earlier answer was lost.
      const open = isAlreadyThere(error) ? await findOpen() : null
      if (open === null) throw error
      return update(open)
    })
  const known = number ?? (await findOpen())
  if (known === null) return createOne()
  return update(known).catch(async (error: unknown) => {
    if (!(error instanceof Answered) || error.status !== 404) throw error
    const open = await findOpen()
    return open === null ? createOne() : update(open)
  })
}

/** GitHub and Forgejo report merged pull requests as closed with `merged: true`; GitLab has a separate state. */
function endOf(answer: unknown, commits: readonly string[]): PullEnd | null {
  const state = textAt(answer, 'state')
  const isMerged =
    typeof answer === 'object' && answer !== null && 'merged' in answer && answer.merged === true
  if (!isMerged && state !== 'merged') return state === 'closed' ? { kind: 'refused' } : null
  const commit = commits.flatMap((key) => textAt(answer, key) ?? [])[0]
  return { kind: 'merged', commit: commit !== undefined && /^[0-9a-f]{40,64}$/.test(commit) ? commit : null }
}

function linkTo(url: string | undefined): { target_url?: string } {
  return url === undefined || url === '' ? {} : { target_url: url }
}

function isAlreadyThere(error: unknown): boolean {
  return error instanceof Answered && (error.status === 409 || error.status === 422)
}

/** An unsuccessful answer of the forge. */
class Answered extends ForgeProblem {
  readonly status: number
  readonly said: string
  constructor(message: string, status: number, said: string) {
    super(message, status === 429 || status >= 500)
    this.status = status
    this.said = said
  }
}

function createApi({ forge, url }: ForgeAddress, token: string, pauses: readonly number[]): Api {
  const authorization: Record<string, string> =
    forge === 'gitlab'
      ? { 'private-token': token }
      : { authorization: forge === 'github' ? `Bearer ${token}` : `token ${token}` }
  const headers = {
    ...authorization,
    accept: forge === 'github' ? 'application/vnd.github+json' : 'application/json',
    'content-type': 'application/json',
    'user-agent': 'pulseward',
    ...(forge === 'github' && { 'x-github-api-version': '2022-11-28' }),
  }
  const once = async (method: string, path: string, body: unknown): Promise<Response> =>
    fetch(`${url}${path}`, {
      method,
      headers,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      const cause =
        error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
      throw new ForgeProblem(`${hostOf(url)} cannot be reached: ${cause.replaceAll(token, '…')}`, true)
    })
  return async (method, path, body) => {
    for (let turn = 0; ; turn += 1) {
      const pause = pauses[turn]
      try {
        const response = await once(method, path, body)
        if (response.ok) return await answerOf(response)
        const said = ((await boundedText(response).catch(() => null)) ?? '')
          .slice(0, 2000)
          .replaceAll(token, '…')
        const waitMs = retryAfterMs(response)
        const isLimited = isRateLimited(response, said)
        const problem = new Answered(
          inWords(url, response, { said, isLimited, waitMs }),
          response.status,
          said,
        )
        const mayPass = problem.isPassing || isLimited
        if (!mayPass || pause === undefined || (waitMs ?? pause) > MAX_PAUSE_MS) throw problem
        await wait(waitMs ?? pause)
      } catch (error) {
        if (error instanceof Answered || !(error instanceof ForgeProblem) || pause === undefined) throw error
        await wait(pause)
      }
    }
  }
}

/** Returns the body of an answer, or `null` if it exceeds the limit; then the rest is not read. */
async function boundedText({ body }: Response): Promise<string | null> {
  if (body === null) return ''
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = body.getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.byteLength
    if (length > MAX_ANSWER_BYTES) {
      await reader.cancel().catch(() => undefined)
      return null
    }
    chunks.push(next.value)
  }
  return Buffer.concat(chunks).toString('utf8')
}

async function answerOf(response: Response): Promise<unknown> {
  const text = await boundedText(response)
  if (text === null)
    throw new ForgeProblem('The forge’s answer is longer than 4 MiB: see [landing] url.', false)
  if (text === '') return null
  try {
    return JSON.parse(text)
  } catch {
    throw new ForgeProblem('The forge answered with something that is not JSON: see [landing] url.', false)
  }
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** GitHub announces some of its limits only in the words of a 403. */
function isRateLimited({ status, headers }: Response, said: string): boolean {
  return (
    status === 429 ||
    (status === 403 &&
      (headers.get('x-ratelimit-remaining') === '0' ||
        headers.has('retry-after') ||
        /\brate limit\b/i.test(said)))
  )
}

function retryAfterMs({ headers }: Response): number | null {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  if (Number.isFinite(seconds)) return seconds * 1000
  const reset = Number(headers.get('x-ratelimit-reset') ?? headers.get('ratelimit-reset') ?? Number.NaN)
  return Number.isFinite(reset) && headers.get('x-ratelimit-remaining') === '0'
    ? Math.max(0, reset * 1000 - Date.now())
    : null
}

function inWords(
  url: string,
  { status }: Response,
  { said, isLimited, waitMs }: { said: string; isLimited: boolean; waitMs: number | null },
): string {
  const host = hostOf(url)
  if (isLimited)
    return `${host} takes no more requests${waitMs === null ? '' : ` for ${Math.ceil(waitMs / 60_000)} min`}: it is tried again.`
  const because = messageIn(said)
  switch (status) {
    case 401:
      return `${host} does not take the token: put a valid one into the environment variable that [landing] token_env names.`
    case 403:
      return `The token may not do this on ${host}${because}: give it the right to write commit statuses and pull requests.`
    case 404:
      return `${host} does not know the repository, or the token may not see it: check the remote, [landing] url and the token.`
    case 409:
    case 422:
      return `${host} refused it${because}.`
    default:
      return status >= 500
        ? `${host} answered with ${status}: it is tried again.`
        : `${host} answered with ${status}${because}.`
  }
}

function messageIn(said: string): string {
  try {
    const { message, error } = JSON.parse(said) as { message?: unknown; error?: unknown }
    const words = typeof message === 'string' ? message : Array.isArray(message) ? message.join(' ') : error
    return typeof words === 'string' && words !== '' ? ` (${words.slice(0, 300)})` : ''
  } catch {
    return ''
  }
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= MAX_DESCRIPTION) return line
  // Half a surrogate pair is not a character: the forge would refuse the request.
  return `${line.slice(0, MAX_DESCRIPTION - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

function numberAt(value: unknown, key: string): number | null {
  const found = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : null
  return typeof found === 'number' && Number.isInteger(found) ? found : null
}

function textAt(value: unknown, ...keys: readonly string[]): string | null {
  let found = value
  for (const key of keys)
    found = typeof found === 'object' && found !== null ? (found as Record<string, unknown>)[key] : null
  return typeof found === 'string' ? found : null
}

function pullOf(answer: unknown, url: string, number: string): { number: number; url: string } {
  const found = numberAt(answer, number)
  if (found === null)
    throw new ForgeProblem('The forge’s answer names no pull request: see [landing] url.', false)
  const address = textAt(answer, url) ?? ''
  return { number: found, url: /^https?:\/\//.test(address) && address.length <= MAX_URL ? address : '' }
}

function bodyOf(entry: LandingRecord, result: AttemptResult | null, trailers: string): string {
  const rows = (result?.comparisons ?? [])
    .slice(0, 30)
    .map(
      ({ subject, claimed, measured, agrees }) =>
        `| ${cell(subject)} | ${cell(claimed)} | ${cell(measured)} | ${agrees === null ? '?' : agrees ? 'yes' : 'no'} |`,
    )
  const reasons = (result?.reasons ?? []).slice(0, 10).map((reason) => `- ${cell(reason)}`)
  return [
    `**Verified.** Attempt \`${entry.attemptId}\` of \`${entry.taskId.replace(/[`\s]+/g, ' ')}\`.`,
    '| claim | claimed | measured | agrees |\n|---|---|---|---|' +
      (rows.length === 0 ? '\n| none | | | |' : `\n${rows.join('\n')}`),
    ...(reasons.length === 0 ? [] : [reasons.join('\n')]),
    trailers,
  ].join('\n\n')
}

/** Returns text of agents and checks without markup, mentions and line breaks. */
function cell(text: unknown): string {
  return String(text ?? '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/[\\`*_{}[\]<>()#+!|~@]/g, (sign) => `&#${sign.codePointAt(0)};`)
    .slice(0, 300)
}
