import { once } from 'node:events'
import { chmod, symlink } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { getApi, hostAddress } from '../support/api.ts'
import { dataDirectoryOf, endProcess, expect, serve, test } from '../support/app.ts'
import { pulseward } from '../support/cli.ts'
import { textOf, writeFiles } from '../support/files.ts'
import { agentsOf, processesOf } from '../support/processes.ts'
import { writeWorkspace } from '../support/workspaces.ts'

/** Sends a request with exactly these headers; `fetch` does not allow setting `Host`. */
async function ask(
  url: string,
  headers: Record<string, string>,
  method = 'GET',
): Promise<{ status: number | undefined; body: string }> {
  const sent = httpRequest(url, { headers, method, agent: false }).end()
  const [response] = await once(sent, 'response')
  return { status: response.statusCode, body: await text(response) }
}

test('the real server refuses everyone except its operator', async ({ folder, startHost }) => {
  const { url: page } = await startHost()
  const { url, token } = await hostAddress(dataDirectoryOf(folder))
  const { port } = new URL(url)
  const authorization = `Bearer ${token}`
  const own = { host: `127.0.0.1:${port}`, authorization }
  for (const path of ['/api/status', '/api/openapi.json', '/api/events', '/rpc/status', '/metrics', '/']) {
    for (const [why, status, headers] of [
      ['no token', 401, { host: own.host }],
      ['a wrong token', 401, { ...own, authorization: `Bearer ${token.slice(0, -1)}~` }],
      ['a foreign host', 403, { ...own, host: `evil.example:${port}` }],
      ['a host without the port', 403, { ...own, host: '127.0.0.1' }],
      ['a foreign origin', 403, { ...own, origin: 'http://evil.example' }],
      ['the origin of another port', 403, { ...own, origin: 'http://127.0.0.1:1' }],
    ] satisfies [string, number, Record<string, string>][]) {
      expect((await ask(`${url}${path}`, headers)).status, `${path} with ${why}`).toBe(status)
    }
  }
  expect((await ask(`${url}/api/heartbeat/run`, { host: own.host }, 'POST')).status).toBe(401)
  expect((await ask(`${url}/?code=wrong`, { host: own.host })).status).toBe(401)
  const { status, body } = await ask(`${url}/api/score`, { host: own.host })
  expect({ status, body: JSON.parse(body) }).toEqual({
    status: 401,
    body: { error: { code: 'UNAUTHORIZED', message: expect.any(String) } },
  })

  expect((await ask(`${url}/api/status`, own)).status).toBe(200)
  expect((await ask(`${url}/healthz`, { host: own.host })).status).toBe(200)
  expect((await ask(page, { host: own.host })).status).toBe(303)
})

test('the host listens on loopback only', async ({ folder, startHost }) => {
  test.skip(process.platform !== 'linux', 'only there all of 127.0.0.0/8 is this machine')
  await startHost()
  const { port } = new URL((await hostAddress(dataDirectoryOf(folder))).url)
  await expect(ask(`http://127.0.0.2:${port}/healthz`, {})).rejects.toThrow('ECONNREFUSED')
})

test('a host that is told to stop exits with 0, and ends its agents', async ({ folder, startHost }) => {
  const { child } = await startHost()
  const ended = once(child, 'exit')
  await pulseward(folder, ['add', await writeWorkspace(join(folder, 'backend'), 'hold'), '--trust'])
  const agents = () => agentsOf(folder)
  await expect.poll(agents).not.toEqual([])
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  expect(processesOf(folder)).toEqual([])
  const { exitCode, stderr } = await pulseward(folder, ['token'])
  expect(exitCode, stderr).toBe(3)
})

test('treats signals that arrive together as one: npm and terminals signal twice', async ({
  folder,
  startHost,
}) => {
  const { child } = await startHost()
  const ended = once(child, 'exit')
  await pulseward(folder, ['add', await writeWorkspace(join(folder, 'backend'), 'hold'), '--trust'])
  await expect.poll(() => agentsOf(folder)).not.toEqual([])
  child.kill('SIGINT')
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  expect(processesOf(folder)).toEqual([])
})

test('a second host on the same data folder is refused with 3, and says where the first one is serving', async ({
  folder,
  startHost,
}) => {
  const { url } = await startHost()
  const { exitCode, stdout, stderr } = await pulseward(folder, ['serve'])
  expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' })
  expect(stderr).toMatch(/^pulseward: Another Pulseward \(process \d+\) owns [^\n]+\n$/)
  expect(stderr).toContain(new URL(url).origin)
})

test('`serve --open` opens the page in the browser, even if another host is already serving', async ({
  folder,
}) => {
  test.skip(process.platform !== 'linux', 'elsewhere the browser is not opened by a program on PATH')
  const opened = join(folder, 'opened')
  const bin = await writeFiles(join(folder, 'bin'), { 'xdg-open': `#!/bin/sh\necho "$1" >> '${opened}'\n` })
  await chmod(join(bin, 'xdg-open'), 0o755)
  const addresses = async () => (await textOf(opened)).trim().split('\n')
  const opens = async (address: string | undefined) =>
    (await fetch(address ?? '', { redirect: 'manual' })).headers.get('set-cookie') !== null

  const PATH = `${bin}:${process.env.PATH}`
  const { url, child } = await serve(folder, ['--open'], { PATH })
  await expect.poll(addresses).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/\?code=/)])
  const [first] = await addresses()
  // The printed address stays valid for anyone who copies it.
  expect([await opens(first), await opens(url)]).toEqual([true, true])

  const again = await pulseward(folder, ['serve', '--open'], { env: { PATH } })
  expect(again.exitCode, again.stderr).toBe(0)
  await expect.poll(async () => (await addresses()).length).toBe(2)
  expect(await opens((await addresses())[1])).toBe(true)
  expect(await endProcess(child)).toBe(0)
})

test('`serve --open` says so when no browser can be opened, and serves anyway', async ({ folder }) => {
  test.skip(process.platform !== 'linux', 'elsewhere the browser is not opened by a program on PATH')
  const bin = await writeFiles(join(folder, 'bin'), { nothing: '' })
  await symlink(process.execPath, join(bin, 'node'))
  const { url, child } = await serve(folder, ['--open'], { PATH: bin })
  let said = ''
  child.stderr?.on('data', (chunk) => {
    said += chunk
  })
  await expect.poll(() => said).toContain('The browser could not be opened')
  expect((await fetch(new URL('/healthz', url))).status).toBe(200)
  expect(await endProcess(child)).toBe(0)
})

test('the data folder of a killed host is free again, and what it left running is ended', async ({
  folder,
  startHost,
}) => {
  const { child } = await startHost()
  await pulseward(folder, ['add', await writeWorkspace(join(folder, 'backend'), 'hold'), '--trust'])
  const agents = () => agentsOf(folder)
  await expect.poll(agents).not.toEqual([])
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
  const [left] = agents()
  await pulseward(folder, ['pause'])
  expect(agents().map(({ pid }) => pid)).not.toContain(left?.pid)
  await startHost()
  const { attempts } = await getApi<{ attempts: unknown[] }>(dataDirectoryOf(folder), 'attempts')
  expect(attempts).toMatchObject([{ taskId: 'hold', verdict: null, fault: 'environment', points: 0 }])
})

test('live events carry their names, and the score as it changes', async ({ folder, startHost }) => {
  await startHost()
  await pulseward(folder, ['add', await writeWorkspace(join(folder, 'backend'), 'write')])
  const { url, token } = await hostAddress(dataDirectoryOf(folder))
  const response = await fetch(`${url}/api/events`, { headers: { authorization: `Bearer ${token}` } })
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  const lines = createInterface({ input: Readable.fromWeb(response.body as never) })
  const scores: number[] = []
  const names = new Set<string>()
  const approved = pulseward(folder, ['trust', join(folder, 'backend')])
  for await (const line of lines) {
    if (line.startsWith('event: ')) names.add(line.slice('event: '.length))
    const data = line.startsWith('data: ') ? JSON.parse(line.slice('data: '.length)) : null
    if (data?.type === 'score-updated') scores.push(data.score.score)
    if (scores.at(-1) === 10) break
  }
  await approved
  expect(scores[0]).toBe(0)
  expect([...names]).toEqual(expect.arrayContaining(['score-updated', 'attempt-started', 'attempt-output']))
})
