// An agent that Pulseward has never seen, written from the specification of the Agent Client Protocol (version 1) without its SDK, and of
// the Model Context Protocol where it reports by tool. Its argument says how it handles the task `job`.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const manner = process.argv[2]
const sessionId = 'sess_1'
let servers = []
let prompts = 0

/** JSON-RPC over lines; `answer` handles requests from the other side, `tell` its notifications. */
function peer(input, output, answer) {
  const pending = new Map()
  let lastId = 0
  const write = (message) => output.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  createInterface({ input }).on('line', async (line) => {
    const { id, method, params, result, error } = JSON.parse(line)
    if (method === undefined) return error ? pending.get(id)[1](error) : pending.get(id)[0](result)
    if (id === undefined) return undefined
    try {
      return write({ id, result: await answer(method, params) })
    } catch (problem) {
      return write({ id, error: problem })
    }
  })
  return {
    notify: (method, params) => write({ method, params }),
    request: (method, params) =>
      new Promise((...settle) => {
        lastId += 1
        pending.set(lastId, settle)
        write({ id: lastId, method, params })
      }),
  }
}

const client = peer(process.stdin, process.stdout, async (method, params) => {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: 1,
        agentCapabilities: { loadSession: false },
        authMethods: [{ id: 'browser', name: 'Log in with your browser' }],
      }
    case 'session/new':
      if (manner === 'login') throw { code: -32000, message: 'Authentication required' }
      servers = params.mcpServers
      return { sessionId }
    case 'session/prompt':
      prompts += 1
      return { stopReason: (await manners[manner](params.prompt)) ?? 'end_turn' }
    default:
      throw { code: -32601, message: `Method not found: ${method}` }
  }
})

const update = (fields) => client.notify('session/update', { sessionId, update: fields })
const say = (text) => update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } })
const report = (fields) =>
  say(`\`\`\`heartbeat-report\n${JSON.stringify({ task_id: 'job', exit_signal: true, ...fields })}\n\`\`\`\n`)

async function writeFile() {
  const path = `${process.cwd()}/made.txt`
  const call = { toolCallId: 'call_1', title: 'Writing made.txt', kind: 'edit', locations: [{ path }] }
  update({ sessionUpdate: 'tool_call', ...call, status: 'pending' })
  await client.request('fs/write_text_file', { sessionId, path, content: 'made\n' })
  const content = [{ type: 'diff', path, oldText: null, newText: 'made\n' }]
  update({ sessionUpdate: 'tool_call_update', toolCallId: 'call_1', status: 'completed', content })
}

async function mayWrite() {
  const path = `${process.cwd()}/made.txt`
  const { outcome } = await client.request('session/request_permission', {
    sessionId,
    toolCall: { toolCallId: 'call_0', title: 'Write made.txt', kind: 'edit', locations: [{ path }] },
    options: [
      { optionId: 'once', name: 'Allow', kind: 'allow_once' },
      { optionId: 'never', name: 'Reject', kind: 'reject_once' },
    ],
  })
  return outcome.optionId === 'once'
}

async function reportByTool(input) {
  const { command, args, env } = servers.find(({ name }) => name === 'pulseward')
  const variables = Object.fromEntries(env.map(({ name, value }) => [name, value]))
  const child = spawn(command, args, {
    env: { ...process.env, ...variables },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const server = peer(child.stdout, child.stdin, () => ({}))
  const clientInfo = { name: 'acp-agent', version: '1' }
  await server.request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
  server.notify('notifications/initialized', {})
  const call = (name, input) => server.request('tools/call', { name, arguments: input })
  const answers = [
    await call('report_task', {}),
    await call('report_task', input),
    await call('get_contract', {}),
  ]
  child.stdin.end()
  return answers.map(({ content }) => content[0].text)
}

const manners = {
  honest: async () => {
    await writeFile()
    report({ status: 'done', files: ['made.txt'] })
  },
  asking: async () => {
    if (await mayWrite()) await writeFile()
    report({ status: 'done' })
  },
  claiming: async () => {
    await mayWrite()
    report({ status: 'done', files: ['made.txt'] })
  },
  talking: async () => {
    if (prompts > 1) await writeFile()
    report(prompts > 1 ? { status: 'done', files: ['made.txt'] } : { status: 'done' })
  },
  hanging: () => {
    spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'], {
      stdio: 'inherit',
    })
    say('Thinking.')
    return new Promise(() => {})
  },
  reporting: async () => {
    await writeFile()
    const answers = await reportByTool({
      task_id: 'job',
      status: 'done',
      files: ['made.txt'],
      exit_signal: true,
    })
    say(`The tool said:\n\n${answers.join('\n\n')}`)
  },
}
