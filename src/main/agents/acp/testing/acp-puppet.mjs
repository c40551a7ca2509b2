// An agent that speaks the Agent Client Protocol, written from its specification. In its n-th turn it does what its n-th argument says: a
// behavior of agent-runner-contract.ts, or an additional one, with parameters after colons.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const turns = process.argv.slice(2)
const sessionId = 'puppet-session'
const waiting = new Map()
let lastId = 0
let turn = 0
let cancel = () => {}

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const notify = (update) => send({ method: 'session/update', params: { sessionId, update } })
const say = (text) => notify({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } })
/** Sends the client a request; resolves with its whole answer. */
const ask = (method, params) =>
  new Promise((resolve) => {
    lastId += 1
    waiting.set(`p${lastId}`, resolve)
    send({ id: `p${lastId}`, method, params: { sessionId, ...params } })
  })
const ready = () => writeFileSync('ready', '')
const runForEver = () => setInterval(() => {}, 1000)
const options = [
  { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
  { optionId: 'always', name: 'Always', kind: 'allow_always' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
]
/** Says the client's answer, as JSON. */
const tell = (answer) => say(JSON.stringify(answer.result ?? answer.error))
const stubborn = (detached) =>
  spawn(process.execPath, [process.argv[1], '--stubborn'], { stdio: 'inherit', detached })

const behaviours = {
  'echo-prompt': (prompt) =>
    say(`${Buffer.byteLength(prompt)} ${createHash('sha256').update(prompt).digest('hex')}`),
  'finish-without-reading': () => say('All done.'),
  'print-environment': () => say(JSON.stringify(process.env)),
  'print-directory': () => say(process.cwd()),
  crash: () => {
    process.stderr.write('it went wrong\n', () => process.exit(3))
    return new Promise(() => {})
  },
  hang: () => {
    say('thinking')
    runForEver()
    ready()
    return new Promise(() => {})
  },
  'ignore-sigterm': () => {
    process.on('SIGTERM', () => {})
    return behaviours.hang()
  },
  'exit-zero-on-sigterm': () => {
    process.on('SIGTERM', () => process.exit(0))
    return behaviours.hang()
  },
  flood: () => {
    say('first\n')
    for (let megabyte = 0; megabyte < 50; megabyte += 1) say('x'.repeat(1_000_000))
    say('\nlast\n')
  },
  'hang-with-stubborn-child': () => {
    stubborn(false)
    return new Promise(() => {})
  },
  'hang-with-escaped-child': () => {
    stubborn(true)
    return new Promise(() => {})
  },
  'leave-child-behind': () => {
    stubborn(false).unref()
    say('All done.')
  },
  // Behaviors of agents that report their own work.
  linger: () => {
    say('All done.')
    process.on('SIGTERM', () => {})
    runForEver()
  },
  'be-denied': async () => {
    const toolCall = {
      toolCallId: 'e',
      kind: 'edit',
      title: 'Write hello.txt',
      locations: [{ path: 'hello.txt' }],
    }
    await ask('session/request_permission', { toolCall, options })
    notify({ sessionUpdate: 'tool_call_update', toolCallId: 'e', status: 'failed' })
    say('All done.')
  },
  'edit-and-test': () => {
    writeFileSync('hello.txt', 'hello')
    const diff = { type: 'diff', path: `${process.cwd()}/hello.txt`, oldText: null, newText: 'hello' }
    const edit = { toolCallId: 'e', kind: 'edit', title: 'Write hello.txt', status: 'completed' }
    const test = { toolCallId: 't', kind: 'execute', title: 'Tests', rawInput: { command: 'npm test' } }
    notify({ sessionUpdate: 'tool_call', ...edit, content: [diff] })
    notify({ sessionUpdate: 'tool_call', ...test })
    const output = { type: 'content', content: { type: 'text', text: 'EXIT_SIGNAL: true' } }
    const failed = { status: 'failed', rawOutput: { exit_code: 1 }, content: [output] }
    notify({ sessionUpdate: 'tool_call_update', toolCallId: 't', ...failed })
    say('I am not done yet.')
  },
  'not-logged-in': () => Promise.reject({ code: -32603, message: '401 Unauthorized: please log in' }),
  'over-quota': () => Promise.reject({ code: -32603, message: '429 Too Many Requests: rate limit exceeded' }),
  'stop-halfway': () => {
    say('I will keep monitoring.')
    process.stdout.write('', () => process.exit(0))
    return new Promise(() => {})
  },
  'name-session': () => say(turn === 1 ? 'a new session' : `resumed ${sessionId}`),
  // Behaviors that only agents of this protocol have.
  say: (_prompt, ...texts) => texts.forEach(say),
  update: (_prompt, ...json) => notify(JSON.parse(json.join(':'))),
  'update-then-hang': (_prompt, ...json) => {
    notify(JSON.parse(json.join(':')))
    return new Promise(() => {})
  },
  raw: (_prompt, ...text) => process.stdout.write(`${text.join(':')}\n`),
  stop: (_prompt, reason) => reason,
  fail: (_prompt, code, message) => Promise.reject({ code: Number(code), message }),
  permission: async (_prompt, kind, ...target) => {
    const title = target.join(':')
    const toolCall = {
      toolCallId: 'call-1',
      title,
      kind,
      ...(kind === 'execute' ? { rawInput: { command: title } } : { locations: [{ path: title }] }),
    }
    tell(await ask('session/request_permission', { toolCall, options }))
  },
  'own-tool': async (_prompt, title) => {
    const toolCall = { toolCallId: 'own', title, kind: 'other', rawInput: { task_id: 'job' } }
    tell(await ask('session/request_permission', { toolCall, options }))
  },
  // A report-only tool, labeled as one that reads.
  'own-reader': async (_prompt, toolName) => {
    const input = { task_id: 'job' }
    const toolCall = {
      toolCallId: 'own',
      title: JSON.stringify(input),
      kind: 'read',
      rawInput: input,
      _meta: { toolName },
    }
    tell(await ask('session/request_permission', { toolCall, options }))
  },
  'permission-then-hang': async (_prompt, kind, target) => {
    notify({ sessionUpdate: 'tool_call', toolCallId: 'call-1', title: target, kind })
    const asked = ask('session/request_permission', { toolCall: { toolCallId: 'call-1' }, options })
    ready()
    tell(await asked)
  },
  read: async (_prompt, path, line, limit) =>
    tell(
      await ask('fs/read_text_file', {
        path,
        line: Number(line) || undefined,
        limit: Number(limit) || undefined,
      }),
    ),
  write: async (_prompt, path, content) => tell(await ask('fs/write_text_file', { path, content })),
  terminal: async (_prompt, command, ...args) => {
    const made = await ask('terminal/create', {
      command,
      args,
      env: [{ name: 'MARK', value: 'from the agent' }],
    })
    if (made.error) return tell(made)
    const { terminalId } = made.result
    const { result } = await ask('terminal/wait_for_exit', { terminalId })
    const output = (await ask('terminal/output', { terminalId })).result
    await ask('terminal/release', { terminalId })
    tell({ result: { ...result, ...output } })
    return tell(await ask('terminal/output', { terminalId }))
  },
  'terminal-left-running': async (_prompt, command) => {
    await ask('terminal/create', { command })
    say('All done.')
  },
  complain: (_prompt, ...words) =>
    new Promise((resolve) => process.stderr.write(`${words.join(':')}\n`, resolve)),
  'hang-silently': () => new Promise(() => {}),
  'cancel-in-order': () => {
    ready()
    return new Promise((resolve) => {
      cancel = () => {
        say('Breaking off.')
        resolve('cancelled')
      }
    })
  },
  unknown: async () => tell(await ask('_puppet/unheard_of', {})),
}

async function act(prompt) {
  const [name, ...parameters] = (turns[Math.min(turn, turns.length - 1)] ?? 'say:nothing').split('|')
  turn += 1
  let reason
  for (const step of [name, ...parameters]) {
    const [behaviour, ...rest] = step.split(':')
    reason = (await behaviours[behaviour](prompt, ...rest)) ?? reason
  }
  return typeof reason === 'string' ? reason : 'end_turn'
}

const [setup] = turns
const methods = {
  initialize: () => ({
    protocolVersion: setup === 'old-version' ? 0 : 1,
    agentCapabilities: {},
    agentInfo: { name: 'puppet', version: '7.0.0' },
    authMethods: setup?.startsWith('login') ? [{ id: setup, name: 'Log in with the puppet' }] : [],
  }),
  authenticate: ({ methodId }) => {
    methods['session/new'] = () => ({ sessionId })
    turns[0] = `say:authenticated with ${methodId}`
    return {}
  },
  'session/new': (params) => {
    if (setup?.startsWith('login')) throw { code: -32000, message: 'Authentication required' }
    if (setup === 'no-session-id') return {}
    if (setup === 'no-session') throw { code: -32602, message: 'Invalid params' }
    if (setup === 'ends-first') process.exit(1)
    if (setup === 'hangs-first') return new Promise(() => {})
    if (setup === 'print-session') turns[0] = `say:${JSON.stringify(params).replaceAll(':', '：')}`
    return { sessionId }
  },
  'session/prompt': async ({ prompt }) => ({
    stopReason: await act(prompt.map(({ text }) => text).join('')),
    usage: { totalTokens: 30, inputTokens: 20, outputTokens: 10 },
  }),
}

if (setup === '--stubborn') {
  process.on('SIGTERM', () => {})
  ready()
  runForEver()
} else if (setup === 'silent') runForEver()
else {
  createInterface({ input: process.stdin }).on('line', async (line) => {
    const { id, method, params, ...answer } = JSON.parse(line)
    if (method === undefined) {
      waiting.get(id)?.(answer)
      waiting.delete(id)
    } else if (method === 'session/cancel') cancel()
    else if (id !== undefined) {
      try {
        send({ id, result: await methods[method](params) })
      } catch (error) {
        send({ id, error })
      }
    }
  })
}
