import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { verdictPredicateSchema } from '../core/attestation/statement.ts'
import { type ChangeRepository, changeRepository } from '../main/change/testing/change-repository.ts'
import { findMeans } from '../main/sandbox/find-means.ts'

const ROOT = join(import.meta.dirname, '../..')
const TEST =
  "import test from 'node:test'\nimport assert from 'node:assert'\ntest('is one', () => {\n  assert.equal(1, 1)\n})\ntest('is two', () => {\n  assert.equal(2, 2)\n})\n"
const BASE = {
  'package.json': '{"name":"x","type":"module","scripts":{"test":"node --test"}}\n',
  'test/a.test.js': TEST,
  'a.js': 'export const a = 1\n',
}

const bundle = mkdtempSync(join(tmpdir(), 'pulseward-action-'))
beforeAll(() => {
  execFileSync(process.execPath, [join(ROOT, 'scripts/build-action.ts'), join(bundle, 'out/action')], {
    cwd: ROOT,
  })
}, 300_000)
afterAll(() => rmSync(bundle, { recursive: true, force: true }))

interface Asked {
  readonly method: string
  readonly path: string
  readonly body: unknown
  readonly token: string | undefined
}

/** Answers like the forge and records the requests. */
class ForgeServer {
  readonly asked: Asked[] = []
  /** Statuses to return before the real answer, by path. */
  readonly failures: {
    readonly path: RegExp
    readonly status: number
    readonly headers?: Record<string, string>
    readonly says?: string
  }[] = []
  comments: { id: number; body: string; user: { type: string } }[] = []
  private readonly server: Server = createServer((request, response) => void this.answer(request, response))

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString('utf8')
    const path = request.url ?? ''
    this.asked.push({
      method: request.method ?? '',
      path,
      body: text === '' ? null : JSON.parse(text),
      token: request.headers.authorization,
    })
    const at = this.failures.findIndex((failure) => failure.path.test(path))
    const [failure] = at < 0 ? [] : this.failures.splice(at, 1)
    response.setHeader('content-type', 'application/json')
    for (const [name, value] of Object.entries(failure?.headers ?? {})) response.setHeader(name, value)
    response.statusCode = failure?.status ?? (request.method === 'POST' ? 201 : 200)
    const says = JSON.stringify(failure !== undefined ? { message: 'no' } : this.documentFor(path))
    response.end(failure?.says ?? says)
  }

  private documentFor(path: string): unknown {
    if (/\/pulls\/7\/commits/.test(path)) return [{ sha: 'a', commit: { message: 'A commit' } }]
    const [, page] = /\/issues\/7\/comments.*[?&]page=(\d+)/.exec(path) ?? []
    if (page !== undefined) return this.comments.slice(100 * (Number(page) - 1), 100 * Number(page))
    return { id: 1 }
  }
}

let forge: ForgeServer
let api: string
let repository: ChangeRepository
let folder: string

beforeEach(async () => {
  forge = new ForgeServer()
  api = await forge.start()
  folder = mkdtempSync(join(tmpdir(), 'pulseward-job-'))
})
afterEach(async () => {
  await forge.stop()
  repository.remove()
  rmSync(folder, { recursive: true, force: true })
})

interface Job {
  readonly code: number | null
  readonly stdout: string
  readonly summary: string
  readonly outputs: Readonly<Record<string, string>>
}

/** Runs the action as a runner does: the bundled file, inputs with their defaults, a payload, and files for its output. */
async function run(
  event: string,
  payload: object,
  given: Readonly<Record<string, string>> = {},
  environment: Readonly<Record<string, string>> = {},
): Promise<Job> {
  const place = (name: string): string => join(folder, name)
  writeFileSync(place('event.json'), JSON.stringify(payload))
  for (const name of ['output', 'summary']) writeFileSync(place(name), '')
  const inputs = {
    part: 'all',
    mode: 'block',
    claims: 'title,body,commits',
    held: 'fail',
    comment: 'auto',
    sarif: '',
    junit: '',
    budget: '20m',
    'github-token': 'the-token',
    ...given,
  }
  const child = spawn(process.execPath, [join(bundle, 'out/action/index.js')], {
    cwd: repository.directory,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      ...Object.fromEntries(
        Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]),
      ),
      GITHUB_EVENT_NAME: event,
      GITHUB_EVENT_PATH: place('event.json'),
      GITHUB_WORKSPACE: repository.directory,
      GITHUB_REPOSITORY: 'owner/name',
      GITHUB_API_URL: api,
      GITHUB_SERVER_URL: `file://${folder}`,
      GITHUB_OUTPUT: place('output'),
      GITHUB_STEP_SUMMARY: place('summary'),
      RUNNER_TEMP: folder,
      ...environment,
    },
  })
  let stdout = ''
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString('utf8')
  })
  child.stderr.on('data', (chunk: Buffer) => {
    stdout += chunk.toString('utf8')
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  const outputs = Object.fromEntries(
    [...readFileSync(place('output'), 'utf8').matchAll(/^([\w-]+)<<(\S+)\n([\s\S]*?)\n\2$/gm)].map(
      ([, name, , value]) => [name, value],
    ),
  )
  return { code, stdout, summary: readFileSync(place('summary'), 'utf8'), outputs }
}

function pull(body = ''): object {
  const sha = (name: string): string => repository.git('rev-parse', name).trim()
  return {
    pull_request: {
      number: 7,
      title: 'Change it',
      body,
      commits: 1,
      base: { sha: sha('main') },
      head: { sha: sha('feature') },
    },
  }
}

/** Publishes the repository to the fake forge. */
function publish(): void {
  execFileSync('git', ['clone', '-q', '--bare', repository.directory, join(folder, 'owner/name')])
  execFileSync('git', ['update-ref', 'refs/pull/7/head', 'feature'], { cwd: join(folder, 'owner/name') })
  execFileSync('git', ['config', 'uploadpack.allowAnySHA1InWant', 'true'], {
    cwd: join(folder, 'owner/name'),
  })
}

/** Returns the workflow commands that a runner carries out: `::NAME` begins a line, and the older `##[NAME]` may be anywhere in it. */
function carriedOut(stdout: string): readonly string[] {
  return stdout.split('\n').flatMap((line) => {
    const [, name] = /^\s*::([\w-]+)(?: [^:]*)?::/.exec(line) ?? /##\[([\w-]+)/.exec(line) ?? []
    return name ?? []
  })
}

describe('the bundled action', { timeout: 300_000 }, () => {
  it('measures a pull request, and reads title, body and commits', async () => {
    repository = changeRepository(BASE)
    repository.commit({ 'a.js': 'export const a = 2\n' })
    const job = await run('pull_request', pull('All tests pass.'))
    expect([job.code, job.outputs.verdict], job.stdout).toEqual([0, 'verified'])
    expect(job.summary).toContain('Pulseward: Verified')
    expect(forge.asked.map(({ method, path, token }) => [method, path, token])).toEqual([
      ['GET', '/repos/owner/name/pulls/7/commits?per_page=100&page=1', 'Bearer the-token'],
    ])
    expect(JSON.parse(readFileSync(job.outputs.report ?? '', 'utf8'))).toMatchObject({
      verdict: 'verified',
      claims: [{ kind: 'tests-pass', equal: true }],
    })
    // What actions/attest signs: the predicate and its schema, for the file that names commit and tree.
    expect(job.outputs['predicate-type']).toBe('https://pulseward.dev/verdict/v0.1')
    const predicate = verdictPredicateSchema.parse(
      JSON.parse(readFileSync(job.outputs.predicate ?? '', 'utf8')),
    )
    expect(predicate.verdict).toMatchObject({ by: 'verifier', value: 'verified' })
    expect(predicate.claims).toHaveLength(1)
  })

  it('fails a pull request with a contradicted claim, and annotates it', async () => {
    repository = changeRepository(BASE)
    repository.commit({ 'a.js': 'export const a = 2\n' })
    const job = await run('pull_request', pull('Added `src/cache.ts`.'))
    expect([job.code, job.outputs.refuted], job.stdout).toEqual([1, 'true'])
    expect(job.stdout).toContain('::error title=Contradicted claim::')
  })

  it('runs no command that the author wrote, and still annotates', async () => {
    repository = changeRepository(BASE)
    const added = TEST.replace('is one', '::stop-commands::x').replace('is two', '##[add-mask]verified')
    repository.commit({ 'test/b.test.js': added })
    const job = await run('pull_request', pull('Added `src/cache.ts`.'))
    expect(job.stdout).toContain('## [add-mask]verified')
    expect(carriedOut(job.stdout), job.stdout).toEqual(['error', 'error'])
  })

  it('reports what it could not fetch as not measured', async () => {
    repository = changeRepository(BASE)
    repository.commit({ 'a.js': 'export const a = 2\n' })
    const job = await run('pull_request_target', pull())
    expect(job.code, job.stdout).toBe(3)
    expect(forge.asked.at(-1)).toMatchObject({ body: { conclusion: 'failure' } })
  })

  it('judges custody on pull_request_target without checking head out, and writes check and comment', async () => {
    repository = changeRepository(BASE)
    repository.commit({ 'test/a.test.js': TEST.replace(/test\('is two'[\s\S]*$/, '') })
    publish()
    const payload = pull()
    repository.git('checkout', '-q', 'main')
    const job = await run('pull_request_target', payload)
    expect([job.code, job.outputs.held], job.stdout).toEqual([4, 'true'])
    expect(forge.asked.map(({ method, path }) => `${method} ${path.replace(/\?.*/, '')}`)).toEqual([
      'GET /repos/owner/name/pulls/7/commits',
      'POST /repos/owner/name/check-runs',
      'GET /repos/owner/name/issues/7/comments',
      'POST /repos/owner/name/issues/7/comments',
    ])
    expect(forge.asked[1]?.body).toMatchObject({
      name: 'pulseward',
      status: 'completed',
      conclusion: 'failure',
      output: { annotations: [{ path: 'test/a.test.js', annotation_level: 'failure' }] },
    })
  })

  it('updates its comment instead of posting a second one', async () => {
    repository = changeRepository(BASE)
    repository.commit({ 'test/a.test.js': null })
    publish()
    forge.comments = [{ id: 3, body: '<!-- pulseward-verdict -->\nold', user: { type: 'Bot' } }]
    await run('pull_request_target', pull())
    expect(forge.asked.at(-1)).toMatchObject({ method: 'PATCH', path: '/repos/owner/name/issues/comments/3' })
  })

  it.each([
    ['updates an outdated comment on a change that needs no review', 'Bot', 'PATCH'],
    ['comments on no change that needs no review', 'User', 'GET'],
  ])('%s', async (_name, type, last) => {
    repository = changeRepository(BASE)
    repository.commit({ 'a.js': 'export const a = 2\n' })
    publish()
    const others = Array.from({ length: 100 }, (_, at) => ({ id: at, body: 'Nice', user: { type: 'User' } }))
    forge.comments = [...others, { id: 300, body: '<!-- pulseward-verdict -->\nHeld', user: { type } }]
    expect((await run('pull_request_target', pull())).code).toBe(0)
    expect(forge.asked.at(-1)).toMatchObject({
      method: last,
      path: expect.stringMatching(/comments\/300$|page=2$/),
    })
  })

  it('reports to the required check even if the change could not be judged', async () => {
    repository = changeRepository({ ...BASE, 'pulseward.toml': 'gates = [\n' })
    repository.commit({ 'a.js': 'export const a = 2\n' })
    publish()
    const job = await run('pull_request_target', pull())
    expect(job.code, job.stdout).toBe(2)
    expect(forge.asked.at(-1)).toMatchObject({
      path: '/repos/owner/name/check-runs',
      body: {
        ...{ name: 'pulseward', conclusion: 'failure' },
        output: { title: 'Could not be judged', summary: expect.stringContaining('pulseward.toml') },
      },
    })
  })

  it.each([
    ['block', 1, 'failure'],
    ['report', 0, 'neutral'],
  ])('in mode %s a contradicted claim ends with %d, and the check as %s', async (mode, code, conclusion) => {
    repository = changeRepository(BASE)
    repository.commit({ 'a.js': 'export const a = 2\n' })
    publish()
    const job = await run('pull_request_target', pull('Added `src/cache.ts`.'), { mode, comment: 'never' })
    expect(job.code, job.stdout).toBe(code)
    expect(forge.asked.at(-1)).toMatchObject({ body: { name: 'pulseward', conclusion } })
  })

  it('judges a merge group by its base and head', async () => {
    repository = changeRepository(BASE)
    repository.commit({ 'a.js': 'export const a = 2\n' })
    const sha = (name: string): string => repository.git('rev-parse', name).trim()
    const job = await run('merge_group', {
      merge_group: { base_sha: sha('main'), head_sha: sha('feature'), head_commit: null },
    })
    expect([job.code, job.outputs.verdict, job.outputs.tree], job.stdout).toEqual([
      0,
      'verified',
      sha('feature^{tree}'),
    ])
    expect(forge.asked).toEqual([])
  })

  it('reports to the required check in a merge queue too, from the job that runs nothing', async () => {
    repository = changeRepository(BASE)
    repository.commit({ 'a.js': 'export const a = 2\n' })
    const [base_sha, head_sha] = ['main', 'feature'].map((name) => repository.git('rev-parse', name).trim())
    const group = { merge_group: { base_sha, head_sha, head_commit: null } }
    expect((await run('merge_group', group, { part: 'custody' })).code).toBe(0)
    expect(forge.asked).toMatchObject([
      { path: '/repos/owner/name/check-runs', body: { name: 'pulseward', head_sha, conclusion: 'success' } },
    ])
  })

  it('always reports: "not applicable" succeeds with the reason and attests nothing', async () => {
    repository = changeRepository({ 'a.txt': '1\n' })
    repository.commit({ 'a.txt': '2\n' })
    const job = await run('pull_request', pull(), { claims: '' })
    const { code, outputs, stdout } = job
    expect([code, outputs.applicable, outputs.verdict, outputs.predicate], stdout).toEqual([
      0,
      'false',
      '',
      '',
    ])
  })

  it('continues without commits when the forge fails, refuses, or rate-limits', async () => {
    repository = changeRepository({ 'a.txt': '1\n', 'package.json': '{}\n' })
    repository.commit({ 'a.txt': '2\n' })
    forge.failures.push({ path: /commits/, status: 502 })
    expect((await run('pull_request', pull())).stdout).not.toContain('::warning')
    forge.failures.push({
      path: /commits/,
      status: 403,
      headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '9999999999' },
    })
    const limited = await run('pull_request', pull())
    expect([limited.code, limited.stdout.includes('(rate limit)')], limited.stdout).toEqual([0, true])
    forge.failures.push({ path: /commits/, status: 403 })
    expect((await run('pull_request', pull())).stdout).toContain('answered with 403')
  })

  it.each([
    ['the check', /check-runs/, '<html>'],
    ['the comments', /comments/, '{}'],
  ])('keeps its verdict when the forge answers nonsense about %s', async (_title, path, says) => {
    repository = changeRepository(BASE)
    repository.commit({ 'a.js': 'export const a = 2\n' })
    publish()
    forge.failures.push({ path, status: 200, says })
    const job = await run('pull_request_target', pull())
    expect([job.code, job.outputs.verdict], job.stdout).toEqual([0, 'verified'])
    expect(job.stdout).toContain('could not be written')
  })

  it('runs checks in a sandbox, or without one, as the workflow says', async ({ skip }) => {
    if ((await findMeans()).found === null) skip('no sandbox works on this machine')
    const leaving = `import { writeFileSync } from 'node:fs'\nwriteFileSync(\`\${process.env.HOME}/left\`, '')\n${TEST}`
    repository = changeRepository({ ...BASE, 'test/a.test.js': leaving })
    repository.commit({ 'a.js': 'export const a = 2\n' })
    const leaves = async (sandbox: string): Promise<readonly unknown[]> => {
      const { outputs } = await run('pull_request', pull(), { claims: '', sandbox })
      return [outputs.verdict, existsSync(join(folder, 'left'))]
    }
    expect(await leaves('required')).toEqual(['verified', false])
    expect(await leaves('off')).toEqual(['verified', true])
  })

  it('names an invalid input', async () => {
    repository = changeRepository(BASE)
    const job = await run('push', {}, { part: 'everything' })
    expect([job.code, job.stdout.includes('The input part is "everything"')]).toEqual([2, true])
  })
})
