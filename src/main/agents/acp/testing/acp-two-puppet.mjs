// An agent that speaks version 2 of the Agent Client Protocol, built with the protocol's own library. It speaks version 1 if its first
// argument is `one`, and either if it is `both`. Each further argument is a turn: a JSON list of updates, and of other steps: {"ask": …},
// {"hang": true}, {"request": a method of version 1}.
import { Readable, Writable } from 'node:stream'
import { agent as agentOne } from '@agentclientprotocol/sdk'
import { agent, agentProtocolRouter, ndJsonStream } from '@agentclientprotocol/sdk/experimental/v2'

const [speaks, ...turns] = process.argv.slice(2)
const sessionId = 'two'
let turn = 0
let cancelled = () => {}

async function act(client, messageId) {
  const update = (one) => client.notify('session/update', { sessionId, update: one })
  const say = (text) =>
    update({ sessionUpdate: 'agent_message_chunk', messageId: 'm', content: { type: 'text', text } })
  // Repeat the state from before the prompt: it must not end the turn.
  await update({ sessionUpdate: 'state_update', state: 'idle', stopReason: 'end_turn' })
  await update({ sessionUpdate: 'user_message', messageId, content: [{ type: 'text', text: 'Do it.' }] })
  await update({ sessionUpdate: 'state_update', state: 'running' })
  const steps = JSON.parse(turns[Math.min(turn, turns.length - 1)])
  turn += 1
  for (const step of steps) {
    if (step.ask !== undefined) {
      const answer = await client.request('session/request_permission', { sessionId, ...step.ask })
      await say(JSON.stringify(answer.outcome))
    } else if (step.request !== undefined) {
      const params = { sessionId, path: '/etc/hostname', content: 'x', command: 'true', terminalId: 't' }
      await say(await client.request(step.request, params).then(JSON.stringify, ({ code }) => String(code)))
    } else if (step.hang === true) {
      await new Promise((resolve) => {
        cancelled = resolve
      })
      await say('Breaking off.')
      await update({ sessionUpdate: 'state_update', state: 'idle', stopReason: 'cancelled' })
    } else await update(step)
  }
}

const two = agent({ name: 'puppet' })
  .onRequest('initialize', () => ({
    protocolVersion: 2,
    info: { name: 'puppet', version: '2.0.0' },
    capabilities: { session: { mcp: { stdio: {} } } },
  }))
  .onRequest('session/new', ({ params }) => {
    const mcp = params.mcpServers?.map(({ type, name }) => `${type} ${name}`).join() ?? ''
    process.stderr.write(`servers: ${mcp}\n`)
    return {
      sessionId,
      configOptions: [
        {
          configId: 'how',
          name: 'Mode',
          category: 'mode',
          type: 'select',
          currentValue: 'wild',
          options: [
            { value: 'wild', name: 'Wild' },
            { value: 'default', name: 'Asks' },
          ],
        },
      ],
    }
  })
  .onRequest('session/set_config_option', ({ params }) => {
    process.stderr.write(`set ${params.configId} ${params.value}\n`)
    return { configOptions: [] }
  })
  .onRequest('session/prompt', ({ client }) => {
    const messageId = `user-${turn}`
    // Answer first; the work continues after the answer.
    setImmediate(() => void act(client, messageId))
    return { messageId }
  })
  .onNotification('session/cancel', () => cancelled())

const one = agentOne({ name: 'puppet' })
  .onRequest('initialize', () => ({ protocolVersion: 1, agentInfo: { name: 'puppet', version: '1.0.0' } }))
  .onRequest('session/new', () => ({ sessionId }))
  .onRequest('session/prompt', async ({ client }) => {
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'By version 1.' } }
    await client.notify('session/update', { sessionId, update })
    return { stopReason: 'end_turn' }
  })

const router = agentProtocolRouter()
const stream = ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin))
if (speaks !== 'one') router.withV2(two)
if (speaks !== 'two') router.withV1(one)
router.connect(stream)
