import { createServer } from 'node:http'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type CliFixture, createCliFixture } from '../testing/cli-fixture.ts'

let cli: CliFixture
let address: string
let received: { path: string; body: string }[]
const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  received.push({ path: request.url ?? '', body })
  response.end()
})

beforeEach(async () => {
  received = []
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const at = server.address()
  address = `http://127.0.0.1:${at !== null && typeof at === 'object' ? at.port : 0}`
  cli = await createCliFixture()
})
afterEach(async () => {
  await cli.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

it('reports a liar to the operator’s channels, and each heartbeat to an uptime monitor', async () => {
  await cli.write({
    'w/HEARTBEAT.md': '## Tasks\n- [ ] mail | Count the mail | required | verify: mails\n',
    'w/pulseward.toml':
      '[agent]\ncommand = ["node", "agent.mjs"]\n[probes.mails]\nfile = "mails"\nparse = "number"\n',
    'w/mails': '0\n',
    'w/agent.mjs': `console.log('\`\`\`heartbeat-report\\n{"task_id":"mail","status":"done","claims":{"mails":3}}\\n\`\`\`')\n`,
  })
  await cli.run(['add', 'w', '--trust'])
  await cli.run(['channels', 'add', 'phone', 'webhook', `${address}/hook`, '--severity', 'critical'])
  await cli.run(['channels', 'add', 'watch', 'ping', `${address}/ping`, '--only', 'w'])
  await cli.run(['run', '--once', '--json'], { currentDirectory: 'w' })
  expect(received.map(({ path }) => path).toSorted()).toEqual(['/hook', '/ping', '/ping/start'])
  const told = JSON.parse(received.find(({ path }) => path === '/hook')?.body ?? '')
  expect(told).toMatchObject({ about: 'lockdown', severity: 'critical', workspace: { name: 'w' } })
  const listed = JSON.parse((await cli.run(['channels', '--json'])).stdout)
  expect(listed).toMatchObject([
    { name: 'phone', last: { isAccepted: true } },
    { name: 'watch', last: { isAccepted: true } },
  ])
})

it.each([
  [['add', 'a', 'fax', 'x'], 2, /fax is no type of channel/],
  [['add', 'a', 'ntfy', 'ftp://x'], 2, /address/],
  [
    ['add', 'a', 'webhook', 'http://x', '--only', 'nowhere'],
    2,
    /nowhere is no workspace\. (None is known yet|Known): /,
  ],
  [['add', 'a', 'webhook', 'http://x', '--secret-file', 'none'], 2, /none cannot be read/],
  [['test', 'nobody'], 2, /no channel "nobody"/],
  [['remove', 'nobody'], 2, /no channel "nobody"/],
])('%j fails with a readable message', async (args, exitCode, words) => {
  const answer = await cli.run(['channels', ...args])
  expect(answer.stderr).toMatch(words)
  expect(answer.exitCode).toBe(exitCode)
})

it('a test shows the receiver’s answer', async () => {
  await cli.run(['channels', 'add', 'phone', 'ntfy', `${address}/topic`])
  expect(await cli.run(['channels', 'test', 'phone'])).toMatchObject({
    exitCode: 0,
    stdout: 'phone: 200 OK\n',
  })
  expect((await cli.run(['channels', 'receipts'])).stdout).toMatch(/phone +\d\d:\d\d ntfy 200 OK +A test/)
})
