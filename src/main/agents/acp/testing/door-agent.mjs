// An agent that asks its client to do what it may not do itself. Its argument is a JSON list of steps, run in order; it says all answers as
// JSON. `{swap: [folder, link]}` lets another process swap the two back and forth until the turn is over; `times` is how often a request is
// made.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const SWAP = `
const fs = require('fs')
const [, one, other] = process.argv
const tried = (act) => { try { act() } catch {} }
for (;;) {
  tried(() => fs.renameSync(one, one + '.away'))
  tried(() => fs.renameSync(other, one))
  tried(() => fs.renameSync(one, other))
  tried(() => fs.renameSync(one + '.away', one))
}
`
const steps = JSON.parse(process.argv[2])
const waiting = new Map()
let lastId = 0
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const ask = (method, params) =>
  new Promise((resolve) => {
    lastId += 1
    waiting.set(`p${lastId}`, resolve)
    send({ id: `p${lastId}`, method, params: { sessionId: 's', ...params } })
  })

const acts = {
  read: ({ path }) => ask('fs/read_text_file', { path }),
  write: ({ path, content }) => ask('fs/write_text_file', { path, content }),
  run: async ({ command, args = [], env = {}, cwd }) => {
    const variables = Object.entries(env).map(([name, value]) => ({ name, value }))
    const made = await ask('terminal/create', { command, args, env: variables, cwd })
    if (made.error) return made
    const { terminalId } = made.result
    await ask('terminal/wait_for_exit', { terminalId })
    const output = await ask('terminal/output', { terminalId })
    await ask('terminal/release', { terminalId })
    return output
  },
}

async function act() {
  const answers = new Set()
  for (const { act: name, times = 1, swap, ...step } of steps) {
    const swapping = swap && spawn(process.execPath, ['-e', SWAP, ...swap], { stdio: 'ignore' })
    for (let time = 0; time < times; time += 1) answers.add(JSON.stringify(await acts[name](step)))
    swapping?.kill('SIGKILL')
  }
  const text = JSON.stringify([...answers])
  send({
    method: 'session/update',
    params: {
      sessionId: 's',
      update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
    },
  })
}

const methods = {
  initialize: () => ({ protocolVersion: 1, agentCapabilities: {}, authMethods: [] }),
  'session/new': () => ({ sessionId: 's' }),
  'session/prompt': async () => {
    await act()
    return { stopReason: 'end_turn' }
  },
}
createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params, ...answer } = JSON.parse(line)
  if (method === undefined) return waiting.get(id)?.(answer)
  if (id !== undefined) send({ id, result: await methods[method]?.(params) })
})
