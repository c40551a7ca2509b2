/*
 * The scripted agent of the evaluation in a session: `node acp-agent.mjs AGENT PLAN` implements the Agent Client Protocol and
 * answers each prompt by running the agent with everything said to it in the session so far.
 */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const [, , agent, plan] = process.argv
const sessionId = 'session'
const said = []

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)

async function play(text) {
  said.push(text)
  const child = spawn(process.execPath, [agent, plan], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(said.join('\n\n'))
  child.stdout.setEncoding('utf8')
  for await (const chunk of child.stdout) {
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: chunk } }
    send({ method: 'session/update', params: { sessionId, update } })
  }
  return { stopReason: 'end_turn' }
}

const methods = {
  initialize: () => ({ protocolVersion: 1 }),
  'session/new': () => ({ sessionId }),
  'session/prompt': ({ prompt }) => play(prompt.map(({ text }) => text).join('')),
}

createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id !== undefined) send({ id, result: await methods[method](params) })
})
