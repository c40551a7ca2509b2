import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { type AcpTurn, proxyAcp } from './acp-proxy.ts'

type Message = Record<string, unknown>

/** Connects an editor and an agent through the proxy; `refuse` returns what the agent is told at each stop. */
function between(
  refuse: (turn: AcpTurn) => string | null | Promise<string | null>,
  late: string | null = null,
) {
  const [fromEditor, toEditor, toAgent, fromAgent] = [0, 1, 2, 3].map(() => new PassThrough()) as [
    PassThrough,
    PassThrough,
    PassThrough,
    PassThrough,
  ]
  const asked: [string, AcpTurn][] = []
  const done = proxyAcp({
    editor: { input: fromEditor, output: toEditor },
    agent: { input: toAgent, output: fromAgent },
    ask: async (event, turn) => {
      asked.push([event, turn])
      return event === 'stop' ? refuse(turn) : event === 'prompt' ? late : null
    },
  })
  const lines = (stream: PassThrough) => {
    const reader = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>
    let rest = ''
    const chunk = async (): Promise<string> => {
      const next = await reader.next()
      if (next.done === true) throw new Error('The stream ended where a line was expected.')
      return String(next.value)
    }
    const line = async (): Promise<string> => {
      while (!rest.includes('\n')) rest += await chunk()
      const end = rest.indexOf('\n') + 1
      const whole = rest.slice(0, end)
      rest = rest.slice(end)
      return whole
    }
    return { chunk, line }
  }
  const [seenByEditor, seenByAgent] = [lines(toEditor), lines(toAgent)]
  const send = (stream: PassThrough) => (message: Message | string) =>
    void stream.write(
      typeof message === 'string' ? message : `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`,
    )
  return {
    asked,
    editorSays: send(fromEditor),
    agentSays: send(fromAgent),
    atEditor: async () => JSON.parse(await seenByEditor.line()) as Message,
    atAgent: async () => JSON.parse(await seenByAgent.line()) as Message,
    rawAtEditor: seenByEditor.line,
    rawAtAgent: seenByAgent.line,
    chunkAtEditor: seenByEditor.chunk,
    listenersAtEditor: () => toEditor.listenerCount('close'),
    agentEnds: async () => {
      fromAgent.end()
      await done
    },
    end: async () => {
      fromEditor.end()
      fromAgent.end()
      await done
    },
  }
}

const update = (sessionUpdate: string, fields: Message = {}): Message => ({
  method: 'session/update',
  params: { sessionId: 's', update: { sessionUpdate, ...fields } },
})
const says = (text: string): Message => update('agent_message_chunk', { content: { type: 'text', text } })

/** Opens a session in `/w` with one editor prompt in progress. */
async function prompted(refuse: Parameters<typeof between>[0]) {
  const both = between(refuse)
  both.editorSays({ id: 1, method: 'session/new', params: { cwd: '/w', mcpServers: [] } })
  await both.atAgent()
  both.agentSays({ id: 1, result: { sessionId: 's' } })
  await both.atEditor()
  both.editorSays({
    id: 2,
    method: 'session/prompt',
    params: { sessionId: 's', prompt: [{ type: 'text', text: 'Fix it' }] },
  })
  await both.atAgent()
  return both
}

it('lets an honest turn end as the agent ended it', async () => {
  const both = await prompted(() => null)
  both.agentSays(says('Done.'))
  both.agentSays({ id: 2, result: { stopReason: 'end_turn' } })
  expect(await both.atEditor()).toMatchObject({ method: 'session/update' })
  expect(await both.atEditor()).toEqual({ jsonrpc: '2.0', id: 2, result: { stopReason: 'end_turn' } })
  expect(both.asked.map(([event, { cwd }]) => [event, cwd])).toEqual([
    ['start', '/w'],
    ['prompt', '/w'],
    ['stop', '/w'],
  ])
  expect(both.asked[2]?.[1]).toMatchObject({ last_assistant_message: 'Done.', stop_hook_active: false })
  await both.end()
})

it('sends a liar back with the fact, and answers the editor once, with the result of the corrected turn', async () => {
  const both = await prompted(({ stop_hook_active }) =>
    stop_hook_active ? null : 'Pulseward measured: 2 failed',
  )
  both.agentSays({ id: 2, result: { stopReason: 'end_turn' } })
  expect(await both.atEditor()).toMatchObject({
    params: {
      update: { sessionUpdate: 'user_message_chunk', content: { text: 'Pulseward measured: 2 failed' } },
    },
  })
  const again = await both.atAgent()
  expect(again).toMatchObject({
    method: 'session/prompt',
    params: { sessionId: 's', prompt: [{ type: 'text', text: 'Pulseward measured: 2 failed' }] },
  })
  both.agentSays(says('Now it passes.'))
  both.agentSays({ id: again.id, result: { stopReason: 'end_turn', usage: 7 } })
  expect(await both.atEditor()).toMatchObject({ method: 'session/update' })
  expect(await both.atEditor()).toEqual({
    jsonrpc: '2.0',
    id: 2,
    result: { stopReason: 'end_turn', usage: 7 },
  })
  const stops = both.asked.filter(([event]) => event === 'stop').map(([, turn]) => turn)
  expect(stops.map(({ prompt_id }) => prompt_id)).toEqual([stops[0]?.prompt_id, stops[0]?.prompt_id])
  expect(stops[1]).toMatchObject({ last_assistant_message: 'Now it passes.' })
  await both.end()
})

it('keeps the original end of the turn if the agent rejects a second prompt', async () => {
  const both = await prompted(() => 'It is wrong')
  both.agentSays({ id: 2, result: { stopReason: 'end_turn' } })
  await both.atEditor()
  const again = await both.atAgent()
  both.agentSays({ id: again.id, error: { code: -32603, message: 'no' } })
  expect(await both.atEditor()).toEqual({ jsonrpc: '2.0', id: 2, result: { stopReason: 'end_turn' } })
  await both.end()
})

it.each(['cancelled', 'refusal', 'max_tokens'])(
  'does not judge a turn that ended with %s',
  async (stopReason) => {
    const both = await prompted(() => 'It is wrong')
    both.agentSays({ id: 2, result: { stopReason } })
    expect(await both.atEditor()).toMatchObject({ id: 2, result: { stopReason } })
    expect(both.asked.map(([event]) => event)).toEqual(['start', 'prompt'])
    await both.end()
  },
)

it.each([
  ['before a tool call', ['All tests pass now.', 'tool_call', 'Two still fail.'], 'Two still fail.'],
  ['before a plan and a thought', ['Done.', 'plan', 'agent_thought_chunk', 'Half done.'], 'Half done.'],
  ['before the end', ['All tests ', 'pass.', 'agent_thought_chunk', 'usage_update'], 'All tests pass.'],
  ['within a message', ['All tests ', 'tool_call_update', 'usage_update', 'pass.'], 'All tests pass.'],
])('reports the last message of a turn when something comes %s', async (_title, pieces, expected) => {
  const both = await prompted(() => null)
  for (const piece of pieces) both.agentSays(/^[a-z_]+$/.test(piece) ? update(piece) : says(piece))
  both.agentSays({ id: 2, result: { stopReason: 'end_turn' } })
  for (const _piece of pieces) await both.atEditor()
  expect(await both.atEditor()).toMatchObject({ id: 2 })
  expect(both.asked.at(-1)?.[1]).toMatchObject({ last_assistant_message: expected })
  await both.end()
})

it('does not send the agent back once the user has canceled', async () => {
  const both = await prompted(() => 'It is wrong')
  both.editorSays({ method: 'session/cancel', params: { sessionId: 's' } })
  await both.atAgent()
  both.agentSays({ id: 2, result: { stopReason: 'end_turn' } })
  expect(await both.atEditor()).toMatchObject({ id: 2 })
  await both.end()
})

it.each([
  ['cancels', { method: 'session/cancel', params: { sessionId: 's' } }],
  ['sends the next prompt', { id: 3, method: 'session/prompt', params: { sessionId: 's', prompt: [] } }],
])('answers immediately if the user %s while the turn is measured', async (_title, message) => {
  let answer = (_why: string | null): void => {}
  const both = await prompted(
    () =>
      new Promise((resolve) => {
        answer = resolve
      }),
  )
  both.agentSays({ id: 2, result: { stopReason: 'end_turn' } })
  both.agentSays(says('Idle.'))
  expect(await both.atEditor()).toMatchObject({ method: 'session/update' })
  both.editorSays(message)
  expect(await both.atAgent()).toMatchObject(message)
  expect(await both.atEditor()).toMatchObject({ id: 2, result: { stopReason: 'end_turn' } })
  // The verdict comes too late to be sent as a prompt.
  answer('It is wrong')
  both.agentSays(says('Idle.'))
  expect(await both.atEditor()).toMatchObject({ method: 'session/update', params: says('Idle.').params })
  await both.end()
})

it('adds a verdict that missed the last stop to the next prompt', async () => {
  const both = between(() => null, 'After the last turn had ended: 2 tests fail')
  both.editorSays({
    id: 1,
    method: 'session/prompt',
    params: { sessionId: 's', _meta: { kept: true }, prompt: [{ text: 1 }, { type: 'text', text: 'Go on' }] },
  })
  expect(await both.atAgent()).toEqual({
    jsonrpc: '2.0',
    id: 1,
    method: 'session/prompt',
    params: {
      sessionId: 's',
      _meta: { kept: true },
      prompt: [
        { text: 1 },
        { type: 'text', text: 'Go on' },
        { type: 'text', text: 'After the last turn had ended: 2 tests fail' },
      ],
    },
  })
  expect(both.asked[0]?.[1].prompt).toContain('Go on')
  await both.end()
})

it('passes on a prompt of an unknown form', async () => {
  const both = between(() => null, 'After the last turn had ended: 2 tests fail')
  const line = '{"id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":"Go on"}}\n'
  both.editorSays(line)
  expect(await both.rawAtAgent()).toBe(line)
  await both.end()
})

it('ends with the agent, even if the editor stays connected', async () => {
  const both = await prompted(() => null)
  await both.agentEnds()
})

it('does not block other sessions while one is measured', async () => {
  let answer = (_why: string | null): void => {}
  const both = await prompted(
    () =>
      new Promise((resolve) => {
        answer = resolve
      }),
  )
  both.agentSays({ id: 2, result: { stopReason: 'end_turn' } })
  const other = { method: 'session/update', params: { sessionId: 'other', update: {} } }
  both.agentSays(other)
  expect(await both.atEditor()).toEqual({ jsonrpc: '2.0', ...other })
  answer(null)
  expect(await both.atEditor()).toMatchObject({ id: 2 })
  await both.end()
})

it('passes on a line that is too long to be read', async () => {
  const both = await prompted(() => null)
  const line = `{"jsonrpc":"2.0","id":2,"result":{"stopReason":"end_turn","text":"${'x'.repeat(33 * 1024 * 1024)}"}}\n`
  both.agentSays(line)
  expect((await both.rawAtEditor()) === line).toBe(true)
  expect(both.asked.map(([event]) => event)).toEqual(['start', 'prompt'])
  await both.end()
})

it('does not interleave other messages with a long line', async () => {
  let answer = (_why: string | null): void => {}
  const both = await prompted(
    () =>
      new Promise((resolve) => {
        answer = resolve
      }),
  )
  both.agentSays({ id: 2, result: { stopReason: 'end_turn' } })
  const half = 'x'.repeat(33 * 1024 * 1024)
  both.agentSays(half)
  // The first piece has arrived: the rest of the line is still to come.
  const first = await both.chunkAtEditor()
  answer('It is wrong')
  both.agentSays(`${half}\n`)
  expect((await both.rawAtEditor()) === `${half.slice(first.length)}${half}\n`).toBe(true)
  expect(await both.atEditor()).toMatchObject({ params: { update: { sessionUpdate: 'user_message_chunk' } } })
  await both.end()
})

it('leaves no listener behind after a slow reader took a message', async () => {
  const both = await prompted(() => null)
  const before = both.listenersAtEditor()
  for (let at = 0; at < 3; at += 1) {
    const text = 'x'.repeat(256 * 1024)
    both.agentSays(says(text))
    expect(await both.atEditor()).toEqual({ jsonrpc: '2.0', ...says(text) })
  }
  both.agentSays(says('Idle.'))
  await both.atEditor()
  expect(both.listenersAtEditor()).toBe(before)
  await both.end()
})

it('passes everything else on byte for byte: permissions, invalid messages, odd spaces', async () => {
  const both = await prompted(() => null)
  const permission = '{"jsonrpc":"2.0", "id":2,"method":"session/request_permission","params":{}}\n'
  for (const line of [permission, 'not a message\n', '{"id": {}}\n', '[]\n']) {
    both.agentSays(line)
    expect(await both.rawAtEditor()).toBe(line)
    both.editorSays(line)
    expect(await both.rawAtAgent()).toBe(line)
  }
  // The agent's own request has the same id as the editor's prompt, but is not its answer.
  both.editorSays('{"id":2,"result":{"outcome":"allowed"}}\n')
  expect(await both.rawAtAgent()).toBe('{"id":2,"result":{"outcome":"allowed"}}\n')
  both.agentSays({ id: 2, result: { stopReason: 'end_turn' } })
  expect(await both.atEditor()).toMatchObject({ id: 2, result: { stopReason: 'end_turn' } })
  await both.end()
})
