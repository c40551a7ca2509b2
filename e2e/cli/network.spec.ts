import { spawn } from 'node:child_process'
import { chmod, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { dataDirectoryOf, expect, markedEnvironment, root, test } from '../support/app.ts'
import { writeFiles } from '../support/files.ts'

/*
 * A network that goes away and comes back, in a separate network namespace in which the service's address is removed and added again. The
 * agent contacts that service before it works, and one of the operator's notification channels leads there.
 */

const SERVICE = '10.77.0.1'

/** The service: accepts posts and writes them down. */
const service = `
import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http'
createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  if (request.url === '/hook') appendFileSync('told', body + '\\n')
  response.end('ok')
}).listen(8077, () => appendFileSync('listens', 'yes'))
`

const agent = `
import { writeFileSync } from 'node:fs'
await fetch('http://${SERVICE}:8077/model').catch((error) => {
  console.error('API Error: Connection error. ' + error.cause?.code)
  process.exit(1)
})
writeFileSync('made.txt', process.hrtime.bigint() + '\\n')
console.log('\`\`\`heartbeat-report\\n{"task_id":"job","status":"done","files":["made.txt"]}\\n\`\`\`')
`

/** What happens in the namespace, in order. Waits only for things that have to arrive. */
const script = `
set -e
until_there() { until grep -q "$2" "$1" 2>/dev/null; do sleep 0.2; done; }
ip link set lo up
ip address add ${SERVICE}/32 dev lo
node service.mjs & service=$!
pulseward serve --port 0 > served & host=$!
trap 'kill $host $service; wait' EXIT
until_there listens yes
until_there served http
pulseward channels add hook webhook http://${SERVICE}:8077/hook
ip address del ${SERVICE}/32 dev lo
# Taken under supervision, it has its first heartbeat at once.
pulseward add job --trust
until pulseward status --json --workspace job > gone.json && grep -q backed-off gone.json; do sleep 0.2; done
pulseward score --json --workspace job > gone-score.json
until pulseward channels receipts --json > gone-receipts.json && grep -q isAccepted gone-receipts.json; do sleep 0.2; done
ip address add ${SERVICE}/32 dev lo
pulseward run --once --workspace job > back.txt
pulseward score --json --workspace job > back-score.json
until_there told agentUnavailable
until pulseward channels receipts --json > receipts.json && grep -q '"isAccepted": *true' receipts.json; do sleep 0.2; done
`

interface Receipt {
  readonly isAccepted: boolean
  readonly answer: string
  readonly attempt: number
  readonly nextTryAt: string | null
}

function run(command: string, args: readonly string[], folder: string) {
  const env = {
    ...markedEnvironment(folder),
    PULSEWARD_HOME: dataDirectoryOf(folder),
    PATH: `${join(folder, 'bin')}:${process.env.PATH ?? ''}:/usr/sbin:/sbin`,
  }
  const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((resolve) => {
    child.on('error', () => resolve(null))
    child.on('close', resolve)
  })
  return Promise.all([ended, text(child.stdout), text(child.stderr)])
}

test('scores nothing and queues messages while the network is down; work and messages resume when it is back', async ({
  folder,
}) => {
  test.setTimeout(600_000)
  const [can] = await run('unshare', ['-rn', 'ip', 'link', 'set', 'lo', 'up'], folder)
  test.skip(can !== 0, 'needs a kernel that gives network namespaces, and iproute2')
  await writeFiles(folder, {
    'bin/pulseward': `#!/bin/sh\nexec ${process.execPath} ${join(root, 'bin/pulseward')} "$@"\n`,
    'bin/node': `#!/bin/sh\nexec ${process.execPath} "$@"\n`,
    'service.mjs': service,
    'job/HEARTBEAT.md': '## Tasks\n\n- [ ] job | Make made.txt | required | verify: changed("made.txt")\n',
    'job/pulseward.toml': '[agent]\nid = "scripted"\ncommand = ["node", "agent.mjs"]\nsandbox = "off"\n',
    'job/agent.mjs': agent,
  })
  for (const name of ['pulseward', 'node']) await chmod(join(folder, 'bin', name), 0o755)
  const [exitCode, , complaints] = await run('unshare', ['-rn', 'sh', '-c', script], folder)
  expect(exitCode, complaints).toBe(0)
  const read = async (name: string) => JSON.parse(await readFile(join(folder, name), 'utf8'))
  expect(await read('gone-score.json')).toMatchObject({ score: 0, verified: 0 })
  expect(await read('back-score.json')).toMatchObject({ verified: 1 })
  // Newest first: the tries without a network, each with the time of the next, and the one that was delivered.
  const receipts: Receipt[] = await read('receipts.json')
  const [taken, ...failed] = receipts
  expect(taken).toMatchObject({ isAccepted: true, answer: '200 OK' })
  expect(failed.length).toBeGreaterThan(0)
  for (const { isAccepted, answer, nextTryAt } of failed) {
    expect(isAccepted).toBe(false)
    expect(answer).toMatch(/^no connection/)
    expect(nextTryAt).not.toBeNull()
  }
  // Notified once, because it is one problem.
  const told = (await readFile(join(folder, 'told'), 'utf8')).trim().split('\n')
  expect(told.map((line) => JSON.parse(line).about)).toEqual(['agentUnavailable'])
})
