import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { addressOf, createForge, type Forge, type ForgeAddress } from './forge.ts'

/* The forges, with a server that answers as their published API descriptions say. */

interface Asked {
  readonly method: string
  readonly path: string
  readonly body: Record<string, unknown>
  readonly headers: IncomingMessage['headers']
}

type Answer = (
  asked: Asked,
) => { status?: number; headers?: Record<string, string>; body?: unknown } | undefined

const servers: Server[] = []
afterEach(() => Promise.all(servers.splice(0).map((server) => new Promise((done) => server.close(done)))))

async function forgeWith(
  forge: ForgeAddress['forge'],
  answer: Answer,
): Promise<{ forge: Forge; asked: Asked[] }> {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      const one = {
        method: request.method ?? '',
        path: request.url ?? '',
        body: text === '' ? {} : JSON.parse(text),
        headers: request.headers,
      }
      asked.push(one)
      const {
        status = 200,
        headers = {},
        body = {},
      } = answer(one) ?? { status: 404, body: { message: 'Not Found' } }
      response.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...headers })
      response.end(JSON.stringify(body))
    })
  })
  servers.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const address = { forge, url: `http://127.0.0.1:${port}/api`, owner: 'acme', repository: 'job' }
  return { forge: createForge(address, 'secret-token', [1, 1]), asked }
}

const REQUEST = { branch: 'pulseward/fix', target: 'main', title: 'Fix it', body: 'Verified.' }
const PULL = {
  number: 7,
  iid: 7,
  html_url: 'https://x.test/7',
  web_url: 'https://x.test/7',
  head: { ref: 'pulseward/fix', repo: { full_name: 'Acme/job' } },
  base: { ref: 'main' },
  source_project_id: 1,
  target_project_id: 1,
}
const FROM_FORK = {
  ...PULL,
  number: 6,
  iid: 6,
  head: { ref: 'pulseward/fix', repo: { full_name: 'mallory/job' } },
  source_project_id: 2,
}

describe('addresses of remotes', () => {
  test.each([
    [
      'github',
      'git@github.com:acme/job.git',
      null,
      { url: 'https://api.github.com', owner: 'acme', repository: 'job' },
    ],
    ['github', 'https://user:pass@git.acme.test/acme/job', null, { url: 'https://git.acme.test/api/v3' }],
    ['github', 'https://GitHub.com/acme/job', null, { url: 'https://api.github.com' }],
    [
      'github',
      'ssh://git@ssh.github.com:443/acme/job.git',
      null,
      { url: 'https://api.github.com', owner: 'acme' },
    ],
    ['gitlab', 'ssh://git@altssh.gitlab.com:443/acme/job.git', null, { url: 'https://gitlab.com/api/v4' }],
    [
      'gitlab',
      'ssh://git@gitlab.com:22/group/sub/job.git',
      null,
      { url: 'https://gitlab.com/api/v4', owner: 'group/sub' },
    ],
    [
      'forgejo',
      '/srv/git/acme/job.git',
      'http://localhost:1/api/v1/',
      { url: 'http://localhost:1/api/v1', owner: 'acme' },
    ],
  ] as const)('%s at %s', async (forge, remote, url, expected) => {
    expect(await addressOf({ forge, url }, remote)).toMatchObject({ forge, ...expected })
  })

  test('rejects an address that names no repository', async () => {
    await expect(addressOf({ forge: 'github', url: null }, 'nothing')).rejects.toThrow(/does not say/)
  })
})

describe.each(['github', 'forgejo', 'gitlab'] as const)('%s', (name) => {
  const isGitlab = name === 'gitlab'
  const pulls = isGitlab ? '/api/projects/acme%2Fjob/merge_requests' : '/api/repos/acme/job/pulls'
  const statuses = isGitlab ? '/api/projects/acme%2Fjob/statuses/' : '/api/repos/acme/job/statuses/'

  test('sets the status of exactly that commit, in at most 140 characters', async () => {
    const { forge, asked } = await forgeWith(name, ({ path }) =>
      path.startsWith(statuses) ? { status: 201 } : undefined,
    )
    await forge.status('abc123', 'failure', `bad ${'x'.repeat(300)}`)
    expect(asked).toHaveLength(1)
    expect(asked[0]).toMatchObject({ method: 'POST', path: `${statuses}abc123` })
    expect(asked[0]?.body).toMatchObject({
      state: isGitlab ? 'failed' : 'failure',
      [isGitlab ? 'name' : 'context']: 'pulseward',
    })
    expect(String(asked[0]?.body.description)).toHaveLength(140)
    await forge.status('abc123', 'failure', `${'x'.repeat(138)}😀 and more`)
    expect(asked[1]?.body.description).toBe(`${'x'.repeat(138)}…`)
  })

  test('creates a pull request once, and updates an open one', async () => {
    let isOpen = false
    const { forge, asked } = await forgeWith(name, ({ method, path }) => {
      if (!path.startsWith(pulls)) return undefined
      if (method === 'GET') return { body: isOpen ? [PULL] : [] }
      if (method === 'POST') isOpen = true
      return { status: method === 'POST' ? 201 : 200, body: PULL }
    })
    expect(await forge.pull(null, REQUEST)).toEqual({ number: 7, url: 'https://x.test/7' })
    expect(await forge.pull(null, REQUEST)).toEqual({ number: 7, url: 'https://x.test/7' })
    expect(await forge.pull(7, REQUEST)).toEqual({ number: 7, url: 'https://x.test/7' })
    expect(asked.filter(({ method }) => method === 'POST')).toHaveLength(1)
    expect(asked.filter(({ method }) => method === (isGitlab ? 'PUT' : 'PATCH'))).toHaveLength(2)
  })

  test('replaces a pull request that was deleted', async () => {
    const { forge, asked } = await forgeWith(name, ({ method }) => {
      if (method === 'GET') return { body: [] }
      return method === 'POST' ? { status: 201, body: PULL } : undefined
    })
    expect(await forge.pull(3, REQUEST)).toMatchObject({ number: 7 })
    expect(asked.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })

  test("leaves a fork's pull request from a branch of the same name alone", async () => {
    const { forge, asked } = await forgeWith(name, ({ method, path }) => {
      if (method === 'GET') return { body: /page=2$/.test(path) ? [] : [FROM_FORK] }
      return { status: 201, body: PULL }
    })
    expect(await forge.pull(null, REQUEST)).toMatchObject({ number: 7 })
    expect(asked.map(({ method }) => method).filter((method) => method !== 'GET')).toEqual(['POST'])
  })

  test('does not read an endless answer', async () => {
    const { forge } = await forgeWith(name, () => ({ body: ['x'.repeat(5 * 1024 * 1024)] }))
    await expect(forge.pull(null, REQUEST)).rejects.toThrow(/longer than 4 MiB/)
  })

  const merged = isGitlab ? { state: 'merged' } : { state: 'closed', merged: true }
  const commit = 'a'.repeat(40)
  test.each([
    [{ state: 'closed', merged: false }, { kind: 'refused' }],
    [merged, { kind: 'merged', commit: null }],
    [
      { ...merged, merge_commit_sha: commit },
      { kind: 'merged', commit },
    ],
    [
      { ...merged, merge_commit_sha: null, squash_commit_sha: commit, sha: 'b' },
      { kind: 'merged', commit: isGitlab ? commit : null },
    ],
    [{ state: isGitlab ? 'opened' : 'open', merge_commit_sha: commit }, null],
  ])('tells how a pull request ended: %j', async (body, expected) => {
    const { forge, asked } = await forgeWith(name, () => ({ body }))
    expect(await forge.end(7)).toEqual(expected)
    expect(asked).toMatchObject([{ method: 'GET', path: `${pulls}/7` }])
  })

  test('links a status to the pull request', async () => {
    const { forge, asked } = await forgeWith(name, () => ({ status: 201 }))
    await forge.status('abc123', 'pending', 'wait', 'https://x.test/7')
    expect(asked[0]?.body).toMatchObject({ state: 'pending', target_url: 'https://x.test/7' })
  })

  test.each([409, 422])(
    'creates no second pull request after the answer %i that it already exists',
    async (status) => {
      let asks = 0
      const { forge, asked } = await forgeWith(name, ({ method }) => {
        if (method === 'GET') {
          asks += 1
          return { body: asks > 1 ? [PULL] : [] }
        }
        return method === 'POST' ? { status, body: { message: 'already exists' } } : { body: PULL }
      })
      expect(await forge.pull(null, REQUEST)).toMatchObject({ number: 7 })
      expect(asked.filter(({ method }) => method === 'POST')).toHaveLength(1)
    },
  )

  test.each([
    [401, {}, /does not take the token/, 1],
    [403, {}, /may not do this/, 1],
    [404, {}, /does not know the repository/, 1],
    [422, {}, /refused it \(no\)/, 1],
    [429, { 'retry-after': '3600' }, /no more requests for 60 min/, 1],
    [429, { 'retry-after': '0' }, /no more requests/, 3],
    [502, {}, /502/, 3],
  ] as const)(
    'answers %i: reported in a sentence, retried only if that may help, and never with the token',
    async (status, headers, words, times) => {
      const { forge, asked } = await forgeWith(name, () => ({ status, headers, body: { message: 'no' } }))
      const problem = await forge.status('abc', 'success', 'ok').catch((error: unknown) => error as Error)
      expect(String(problem)).toMatch(words)
      expect(String(problem)).not.toContain('secret-token')
      expect(asked).toHaveLength(times)
    },
  )

  test('recognizes a limit that is announced only in words', async () => {
    const { forge } = await forgeWith(name, () => ({
      status: 403,
      body: { message: 'You have exceeded a secondary rate limit.' },
    }))
    await expect(forge.status('abc', 'success', 'ok')).rejects.toThrow(/takes no more requests/)
  })

  test('reports an outage', async () => {
    const forge = createForge(
      { forge: name, url: 'http://127.0.0.1:9', owner: 'a', repository: 'b' },
      'secret-token',
      [],
    )
    await expect(forge.status('abc', 'success', 'ok')).rejects.toThrow(/127\.0\.0\.1:9 cannot be reached/)
  })

  test('inserts agents’ text as words, never as markup', async () => {
    const { forge } = await forgeWith(name, () => undefined)
    const comparison = {
      subject: '@all <img src=x>',
      claimed: '[a](javascript:x)',
      measured: '1|2',
      agrees: true,
    }
    const text = forge.body(
      { attemptId: '1-1-a', taskId: 'fix' } as never,
      { comparisons: [comparison], reasons: ['`x`'] } as never,
      'Pulseward-Task: fix',
    )
    expect(text).not.toMatch(/<img|@all|\]\(|1\|2/)
    expect(text).toContain('Pulseward-Task: fix')
  })
})
