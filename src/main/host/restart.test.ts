import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createHttpClient } from '../../api/client.ts'
import { systemClock } from '../host/system-clock.ts'
import { createHost, type Host } from '../host.ts'
import { temporaryFolder, temporaryHost } from '../testing/temporary-host.ts'

const stops: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

async function start(dataDirectory: string): Promise<Host> {
  const host = await createHost({
    dataDirectory,
    version: '1.2.3',
    clock: systemClock,
    log: { info: () => {}, warn: () => {}, error: () => {} },
    notifier: { notify: () => {} },
    pageDirectory: null,
    sampleDirectory: join(import.meta.dirname, '../../../resources/sample'),
    scheduled: false,
  })
  stops.push(host.stop)
  return host
}

/** Returns a page's cookie for a one-time code. */
async function cookieOf({ server }: Host): Promise<string> {
  const code = new URL(server.pageAddress()).searchParams.get('code')
  const body = JSON.stringify({ code })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${server.url}/api/session`, { method: 'POST', body, headers })
  return answer.headers.get('set-cookie')?.split(';')[0] ?? ''
}

test('a restarted host keeps its port, and an open page its session', async () => {
  const data = join(await temporaryFolder(), 'data')
  const before = await start(data)
  const cookie = await cookieOf(before)
  await before.stop()
  const after = await start(data)
  expect(after.server.port).toBe(before.server.port)
  expect(after.server.token).not.toBe(before.server.token)
  const answer = await fetch(`${after.server.url}/api/status`, { headers: { cookie } })
  expect(answer.status).toBe(200)
})

test('a configuration that waits for approval is recorded once, however often the host restarts', async () => {
  const root = await temporaryFolder()
  const first = await temporaryHost({ inbox: {} }, { root })
  await writeFile(join(first.folder('inbox'), 'pulseward.toml'), '[agent]\ncommand = ["false"]\n')
  await first.stop()
  for (let each = 0; each < 3; each += 1) {
    const { client, stop } = await temporaryHost({}, { root })
    stops.push(stop)
    const [workspace] = await client.workspaces.list()
    const { entries } = await client.timeline.list({ workspace: workspace?.id, limit: 100 })
    expect(entries.filter(({ type }) => type === 'configuration-changed')).toHaveLength(1)
    await stop()
  }
})

test('a host takes another port if its own was taken while it was down', async () => {
  const data = join(await temporaryFolder(), 'data')
  const { server, stop } = await start(data)
  await stop()
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(server.port, '127.0.0.1', resolve))
  stops.push(async () => other.close())
  expect((await start(data)).server.port).not.toBe(server.port)
})

test('a read-only token sees everything, is reported as read-only, and is valid after a restart', async () => {
  const data = join(await temporaryFolder(), 'data')
  const before = await start(data)
  const headers = { authorization: `Bearer ${before.server.token}` }
  const answer = await fetch(`${before.server.url}/api/session/reading-token`, { headers })
  const { token } = (await answer.json()) as { token: string }
  await before.stop()
  const { url } = (await start(data)).server
  const client = createHttpClient({ url, token })
  expect((await client.status()).readsOnly).toBe(true)
  await expect(client.workspaces.openSample()).rejects.toMatchObject({ status: 403 })
  expect(await client.workspaces.list()).toEqual([])
})

test('requesting a heartbeat while one runs is refused, or joins it', async () => {
  // Keeps working until it is released.
  const configuration =
    '[agent]\ncommand = ["sh", "-c", "until [ -e go ]; do sleep 0.02; done; echo > mail.txt"]\n'
  const { client, id, folder, remove } = await temporaryHost({ inbox: { configuration } })
  stops.push(remove)
  const workspace = id('inbox')
  const first = client.heartbeat.run({ workspace })
  await expect(client.heartbeat.run({ workspace })).rejects.toMatchObject({ code: 'CONFLICT' })
  const joining = client.heartbeat.run({ workspace, join: true })
  // A later request is answered, so the earlier one has arrived.
  await expect.poll(async () => (await client.workspaces.list())[0]?.running ?? null).not.toBeNull()
  await writeFile(join(folder('inbox'), 'go'), '')
  const joined = await joining
  expect(joined?.cycle).toBe(1)
  expect(joined?.attempts.map(({ attemptId }) => attemptId)).toEqual(
    (await first)?.attempts.map(({ attemptId }) => attemptId),
  )
})
