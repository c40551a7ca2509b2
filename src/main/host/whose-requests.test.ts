import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { DECLARED } from '../authority/takes.ts'
import { meansHere } from '../sandbox/testing/contained-world.ts'
import { type TemporaryHost, temporaryHost } from '../testing/temporary-host.ts'

/*
 * Every procedure, and everything else served over HTTP, requested with a leaked token: by a supervised agent, by a check, by what either
 * left running, and by an unknown program.
 */

/** Requests everything over both routes, and writes down the status of each answer. */
const ASK = `
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
const { url, token, declared } = JSON.parse(readFileSync('asked.json', 'utf8'))
if (process.argv[2] === 'later')
  while (!existsSync('go')) await new Promise((done) => setTimeout(done, 20))
const headers = { authorization: 'Bearer ' + token, 'content-type': 'application/json' }
const ask = async (method, path) => {
  const answer = await fetch(url + path, { method, headers, ...(method !== 'GET' && { body: path.startsWith('/rpc/') ? '{"json":{}}' : '{}' }) })
  await answer.body?.cancel()
  return answer.status
}
const answers = {}
for (const { procedure, method, path } of declared) {
  answers[procedure ?? path] = [
    path === null ? null : await ask(method, path.replace(/\\{\\w+\\}/g, 'x')),
    procedure === null ? null : await ask('POST', '/rpc/' + procedure.replaceAll('.', '/')),
  ]
}
writeFileSync('answers.new', JSON.stringify(answers))
renameSync('answers.new', 'answers.json')
`

type Answers = Readonly<Record<string, readonly [number | null, number | null]>>

const NODE = process.execPath
const LEAVE = [
  'sh',
  '-c',
  `setsid --fork env -u PULSEWARD_RUN "$0" ask.mjs later </dev/null >/dev/null 2>&1`,
  NODE,
]

let host: TemporaryHost | null = null
afterEach(async () => {
  await host?.remove()
  host = null
})

async function hostWith(
  command: readonly string[],
  { sandbox, gate = null }: { readonly sandbox: 'auto' | 'off'; readonly gate?: readonly string[] | null },
): Promise<TemporaryHost> {
  const gates = gate === null ? '' : `\n[gates]\ncommands = [${JSON.stringify(gate)}]\n`
  host = await temporaryHost({
    w: {
      contract: '## Tasks\n\n- [ ] ask | Ask | required | verify: exists("ask.mjs")\n',
      configuration: `[agent]\ncommand = ${JSON.stringify(command)}\nsandbox = "${sandbox}"\n${gates}`,
    },
    other: {},
  })
  const { url, token } = host.server
  const folder = host.folder('w')
  await writeFile(join(folder, 'ask.mjs'), ASK)
  await writeFile(join(folder, 'asked.json'), JSON.stringify({ url, token, declared: DECLARED }))
  return host
}

async function answersIn({ folder }: TemporaryHost): Promise<Answers> {
  const path = join(folder('w'), 'answers.json')
  await expect.poll(() => existsSync(path), { timeout: 60_000 }).toBe(true)
  return JSON.parse(await readFile(path, 'utf8'))
}

/** Returns the requests that were not refused. */
function takenOf(answers: Answers): readonly string[] {
  return Object.entries(answers).flatMap(([name, [plain, rpc]]) => [
    ...(plain === null || plain === 403 ? [] : [`${name} ${plain}`]),
    ...(rpc === null || rpc === 403 ? [] : [`${name} over /rpc ${rpc}`]),
  ])
}

/**
 * Requests that an agent may make. A hook call reaches input validation and does nothing: a supervised agent's program may call one without
 * knowing better.
 */
const OWN_TASK = [
  'tasks.list 200',
  'tasks.list over /rpc 200',
  'sessions.hook 400',
  'sessions.hook over /rpc 400',
]
const hasSandbox = (await meansHere()).length > 0

describe.runIf(process.platform === 'linux')('with a leaked token, a request counts as made by', () => {
  const ask = [NODE, 'ask.mjs']
  const bare = ['env', '-i', ...ask]

  it.each([
    ...(hasSandbox
      ? ([
          ['a sandboxed agent', ask, { sandbox: 'auto' }],
          ['a sandboxed agent without its environment', bare, { sandbox: 'auto' }],
          [
            'a sandboxed agent without environment, session and parents',
            [
              'sh',
              '-c',
              'setsid env -i "$0" ask.mjs & while [ ! -e answers.json ]; do sleep 0.05; done',
              NODE,
            ],
            { sandbox: 'auto' },
          ],
          ['a sandboxed check', ['true'], { sandbox: 'auto', gate: ask }],
          ['a sandboxed check without its environment', ['true'], { sandbox: 'auto', gate: bare }],
        ] as const)
      : []),
    ['an unsandboxed agent', ask, { sandbox: 'off' }],
    ['an unsandboxed agent without its environment', bare, { sandbox: 'off' }],
    ['an unsandboxed check', ['true'], { sandbox: 'off', gate: ask }],
  ] as const)(
    '%s: it may read its own task, and everything else is refused and recorded',
    async (_, command, options) => {
      const running = await hostWith(command, options)
      const id = running.id('w')
      await running.client.heartbeat.run({ workspace: id })
      expect(takenOf(await answersIn(running))).toEqual(OWN_TASK)
      const { interventions } = await running.client.interventions.list({ workspace: id })
      const touched = interventions.filter(({ event_type }) => event_type === 'supervisor_touched')
      expect(touched).toMatchObject([{ severity: 'critical', task_id: 'ask' }])
    },
    90_000,
  )

  it('a process that an agent left behind, even after its attempt has ended', async () => {
    const running = await hostWith(LEAVE, { sandbox: 'off' })
    await running.client.heartbeat.run({ workspace: running.id('w') })
    await writeFile(join(running.folder('w'), 'go'), '')
    expect(takenOf(await answersIn(running))).toEqual(OWN_TASK)
  }, 90_000)

  it('an agent that asks about another workspace, and learns nothing about it', async () => {
    const running = await hostWith([NODE, '-e', `import('./ask-other.mjs')`], { sandbox: 'off' })
    const other = running.id('other')
    await writeFile(
      join(running.folder('w'), 'ask-other.mjs'),
      `import { readFileSync, writeFileSync } from 'node:fs'
const { url, token } = JSON.parse(readFileSync('asked.json', 'utf8'))
const headers = { authorization: 'Bearer ' + token, 'content-type': 'application/json' }
const plain = await fetch(url + '/api/tasks?workspace=${other}', { headers })
const body = JSON.stringify({ json: { workspace: '${other}' } })
const rpc = await fetch(url + '/rpc/tasks/list', { method: 'POST', headers, body })
writeFileSync('statuses.json', JSON.stringify([plain.status, rpc.status]))`,
    )
    await running.client.heartbeat.run({ workspace: running.id('w') })
    expect(JSON.parse(await readFile(join(running.folder('w'), 'statuses.json'), 'utf8'))).toEqual([403, 403])
  }, 30_000)

  it('refuses and reports a program that cannot be traced when it asks for what only the operator may do during an attempt', async () => {
    const running = await hostWith([NODE, '-e', 'setInterval(() => {}, 1e6)'], { sandbox: 'off' })
    const id = running.id('w')
    const beat = running.client.heartbeat.run({ workspace: id })
    await expect
      .poll(async () => (await running.client.workspaces.get({ id })).running?.attempt?.taskId, {
        timeout: 30_000,
      })
      .toBe('ask')
    // Procedures open to every program are left out, because some of them would end the attempt.
    const operators = DECLARED.filter(({ takes }) => takes === 'operator')
    const { url, token } = running.server
    await writeFile(
      join(running.folder('w'), 'asked.json'),
      JSON.stringify({ url, token, declared: operators }),
    )
    spawn('sh', ['-c', 'exec setsid --fork env -i "$0" ask.mjs', NODE], {
      cwd: running.folder('w'),
      stdio: 'ignore',
    })
    expect(takenOf(await answersIn(running))).toEqual([])
    const { interventions } = await running.client.interventions.list({ workspace: id })
    expect(interventions).toMatchObject([
      { event_type: 'supervisor_touched', severity: 'warning', details: { attributed: false } },
    ])
    await running.client.heartbeat.stop({ workspace: id })
    await beat
  }, 90_000)

  it('a program that ended before it could be identified, while an attempt runs: refused and reported', async () => {
    const running = await hostWith([NODE, '-e', 'setInterval(() => {}, 1e6)'], { sandbox: 'off' })
    const id = running.id('w')
    const beat = running.client.heartbeat.run({ workspace: id })
    await expect
      .poll(async () => (await running.client.workspaces.get({ id })).running?.attempt?.taskId, {
        timeout: 30_000,
      })
      .toBe('ask')
    const { port, token } = running.server
    const body = '{}'
    const head = `POST /api/heartbeat/pause?workspace=${id} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`
    const script = `const socket = require('node:net').connect(${port}, '127.0.0.1', () => socket.write(${JSON.stringify(head + body)}, () => process.kill(process.pid, 'SIGKILL')))`
    spawn('sh', ['-c', 'exec setsid --fork env -i "$0" -e "$1"', NODE, script], { stdio: 'ignore' })
    await expect
      .poll(async () => (await running.client.interventions.list({ workspace: id })).interventions, {
        timeout: 30_000,
      })
      .toMatchObject([{ event_type: 'supervisor_touched', details: { attributed: false } }])
    expect((await running.client.workspaces.get({ id })).paused).toBeNull()
    await running.client.heartbeat.stop({ workspace: id })
    await beat
  }, 60_000)
})

it('every procedure declares who may request it, and agents can only read their own tasks', () => {
  expect(DECLARED.filter(({ takes }) => takes === 'agent').map(({ procedure }) => procedure)).toEqual([
    'tasks.list',
    'sessions.hook',
  ])
  const changing = DECLARED.filter(({ takes, method }) => takes === 'program' && method !== 'GET')
  // Each of these changes neither the score, nor approval, nor what runs outside a sandbox, or stops what runs.
  expect(changing.map(({ procedure }) => procedure)).toEqual([
    'workspaces.watch',
    'workspaces.add',
    'contract.check',
    'contract.preview',
    'contract.tryHint',
    'contract.dryRun',
    'tasks.sweep',
    'heartbeat.run',
    'heartbeat.stop',
    'attempts.stop',
    'configuration.check',
    'timeline.export',
    'setup.folders',
    'setup.inspect',
    'setup.check',
    'fleet.export',
    'updates.check',
    'events',
  ])
})
