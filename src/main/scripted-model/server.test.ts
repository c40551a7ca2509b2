import { afterEach, describe, expect, it } from 'vitest'
import { act, fail, hang, run, type Script, say, write } from './script.ts'
import { type ModelServer, startModelServer } from './server.ts'

/** How each wire format expresses the same conversation. */
interface Dialect {
  readonly path: string
  /** Returns a request with these tools; `rounds` tool calls have been made and answered since the prompt. */
  readonly body: (prompt: string, tools: readonly string[], rounds: number) => object
  /** Returns the name and input of an answer's first tool call; null if there is none. */
  readonly firstCall: (answer: string) => { readonly name: string; readonly input: unknown } | null
}

const schema = { type: 'object', properties: { path: { type: 'string' } } }
const repeated = <T>(rounds: number, items: readonly T[]): readonly T[] =>
  Array.from({ length: rounds }, () => items).flat()

const dialects: Readonly<Record<string, Dialect>> = {
  anthropic: {
    path: '/v1/messages',
    body: (prompt, tools, rounds) => ({
      model: 'm',
      messages: [
        { role: 'user', content: [{ type: 'text', text: prompt }] },
        ...repeated(rounds, [
          { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'Write', input: {} }] },
          {
            role: 'user',
            content: [
              { type: 'tool_result', tool_use_id: 'a', content: 'ok' },
              { type: 'text', text: 'A reminder.' },
            ],
          },
        ]),
      ],
      tools: tools.map((name) => ({ name, input_schema: schema })),
    }),
    firstCall: (answer) => find(answer, (part) => part.type === 'tool_use' && { ...part }),
  },
  responses: {
    path: '/v1/responses',
    body: (prompt, tools, rounds) => ({
      model: 'm',
      input: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: prompt }] },
        ...repeated(rounds, [
          { type: 'function_call', call_id: 'a', name: 'shell', arguments: '{}' },
          { type: 'function_call_output', call_id: 'a', output: 'ok' },
        ]),
      ],
      tools: tools.map((name) => ({ type: 'function', name, parameters: schema })),
    }),
    firstCall: (answer) =>
      find(
        answer,
        (part) =>
          part.type === 'function_call' &&
          part.status === 'completed' && { ...part, input: JSON.parse(String(part.arguments)) },
      ),
  },
  chat: {
    path: '/v1/chat/completions',
    body: (prompt, tools, rounds) => ({
      model: 'm',
      messages: [
        { role: 'system', content: 'Work.' },
        { role: 'user', content: prompt },
        ...repeated(rounds, [
          { role: 'assistant', content: '', tool_calls: [] },
          { role: 'tool', tool_call_id: 'a', content: 'ok' },
        ]),
      ],
      tools: tools.map((name) => ({ type: 'function', function: { name, parameters: schema } })),
    }),
    firstCall: (answer) =>
      find(answer, (part) => 'arguments' in part && { ...part, input: JSON.parse(String(part.arguments)) }),
  },
  gemini: {
    path: '/v1beta/models/m:generateContent',
    body: (prompt, tools, rounds) => ({
      contents: [
        { role: 'user', parts: [{ text: prompt }] },
        ...repeated(rounds, [
          { role: 'model', parts: [{ functionCall: { name: 'write_file', args: {} } }] },
          { role: 'user', parts: [{ functionResponse: { name: 'write_file', response: { output: 'ok' } } }] },
        ]),
      ],
      tools: [{ functionDeclarations: tools.map((name) => ({ name, parametersJsonSchema: schema })) }],
    }),
    firstCall: (answer) => find(answer, (part) => 'args' in part && { ...part, input: part.args }),
  },
}

type Part = Readonly<Record<string, unknown>>

/** Returns the first object of an answer, at any depth, that `pick` accepts. */
function find(answer: string, pick: (part: Part) => Part | false): { name: string; input: unknown } | null {
  const documents = answer.startsWith('{')
    ? [answer]
    : answer
        .split('\n')
        .filter((line) => line.startsWith('data: {'))
        .map((line) => line.slice(6))
  const search = (value: unknown): Part | false => {
    if (typeof value !== 'object' || value === null) return false
    const picked = Array.isArray(value) ? false : pick(value as Part)
    return picked || Object.values(value).map(search).find(Boolean) || false
  }
  const found = documents.map((document) => search(JSON.parse(document))).find(Boolean)
  return found ? { name: String(found.name), input: found.input } : null
}

let server: ModelServer | null = null

afterEach(async () => {
  await server?.close()
  server = null
})

async function ask(script: Script, path: string, ...bodies: readonly object[]): Promise<readonly string[]> {
  server ??= await startModelServer(script)
  const answers: string[] = []
  for (const body of bodies) {
    const response = await fetch(`${server.url}${path}`, { method: 'POST', body: JSON.stringify(body) })
    answers.push(`${response.status === 200 ? '' : `${response.status} `}${await response.text()}`)
  }
  return answers
}

const writeTool = { anthropic: 'Write', responses: 'shell_command', chat: 'write', gemini: 'write_file' }
const honest: Script = { prompts: [[act(write('out/a.txt', "it's\n")), say('All done.')]] }

describe.each(Object.entries(dialects))('the scripted model in the format of %s', (name, dialect) => {
  const tool = writeTool[name as keyof typeof writeTool]

  it('calls the tool that the request offers, then says what the script says', async () => {
    const [first = '', second = ''] = await ask(
      honest,
      dialect.path,
      dialect.body('Write it.', [tool, 'other'], 0),
      dialect.body('Write it.', [tool, 'other'], 1),
    )
    expect(dialect.firstCall(first)).toMatchObject({ name: tool })
    expect(JSON.stringify(dialect.firstCall(first)?.input)).toContain('out/a.txt')
    expect(dialect.firstCall(second)).toBeNull()
    expect(second).toContain('All done.')
  })

  it('streams the same answer when asked to stream', async () => {
    const path = dialect.path.replace(':generateContent', ':streamGenerateContent')
    const body = { ...dialect.body('Write it.', [tool], 1), stream: true }
    server = await startModelServer(honest)
    const response = await fetch(`${server.url}${path}`, { method: 'POST', body: JSON.stringify(body) })
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const text = await response.text()
    expect(text).toMatch(/^(event: \S+\n)?data: \{/)
    expect(text).toContain('All done.')
  })

  it('gives the same answer to a repeated request', async () => {
    const body = dialect.body('Write it.', [tool], 0)
    const answers = await ask(honest, dialect.path, body, body, dialect.body('Write it.', [tool], 1))
    expect(dialect.firstCall(answers[0] ?? '')).toEqual(dialect.firstCall(answers[1] ?? ''))
    expect(answers[2]).toContain('All done.')
    expect(server?.prompts).toEqual(['Write it.'])
  })

  it('takes the next list of turns for the next prompt, and the last list for all later prompts', async () => {
    const script = { prompts: [[say('one')], [say('two')]] }
    const bodies = ['first', 'second', 'third'].map((prompt) => dialect.body(prompt, [tool], 0))
    const answers = await ask(script, dialect.path, ...bodies)
    expect(answers.map((answer) => /one|two/.exec(answer)?.[0])).toEqual(['one', 'two', 'two'])
    expect(server?.prompts).toEqual(['first', 'second', 'third'])
  })

  it('refuses with the status of the script, and its side calls too', async () => {
    const [work = '', side = ''] = await ask(
      { prompts: [[fail(401, 'invalid key')]] },
      dialect.path,
      dialect.body('Write it.', [tool], 0),
      dialect.body('A title, please.', [], 0),
    )
    expect(work).toMatch(/^401 .*invalid key/)
    expect(side).toMatch(/^401 /)
  })

  it('answers side calls without following the script', async () => {
    const [title = ''] = await ask(honest, dialect.path, dialect.body('A title, please.', [], 0))
    expect(title).toContain('A task of the contract')
    expect(server?.prompts).toEqual([])
    expect(server?.requests.map(({ kind }) => kind)).toEqual(['side'])
  })
})

describe('the scripted model', () => {
  const chat = dialects.chat as Dialect

  it('never answers when told to hang, and reports it', async () => {
    server = await startModelServer({ prompts: [[hang()]] })
    const controller = new AbortController()
    const answered = fetch(`${server.url}${chat.path}`, {
      method: 'POST',
      body: JSON.stringify(chat.body('Go.', ['write'], 0)),
      signal: controller.signal,
    })
    await server.untilHanging()
    controller.abort()
    await expect(answered).rejects.toThrow(/abort/)
  })

  it('answers a call that wants JSON with JSON of the requested schema', async () => {
    const wanted = {
      type: 'OBJECT',
      properties: { why: { type: 'STRING' }, model: { type: 'STRING', enum: ['flash', 'pro'] } },
      required: ['why', 'model'],
    }
    const body = {
      contents: [{ role: 'user', parts: [{ text: 'Which model?' }] }],
      generationConfig: { responseMimeType: 'application/json', responseJsonSchema: wanted },
    }
    const [answer = ''] = await ask(honest, '/v1beta/models/m:generateContent', body)
    const { text } = JSON.parse(answer).candidates[0].content.parts[0]
    expect(JSON.parse(text)).toEqual({ why: expect.any(String), model: 'flash' })
  })

  it('writes a patch if a free-text tool for patches is offered', async () => {
    const body = {
      input: 'Write it.',
      tools: [
        { type: 'custom', name: 'apply_patch' },
        { type: 'function', name: 'shell', parameters: schema },
      ],
    }
    const [answer = ''] = await ask(honest, '/v1/responses', body)
    const [, call] = JSON.parse(answer).output
    expect(call).toMatchObject({ type: 'custom_tool_call', name: 'apply_patch' })
    expect(call.input).toContain("*** Add File: out/a.txt\n+it's\n")
  })

  it('skips a turn for which no tool is offered', async () => {
    const [answer = ''] = await ask(honest, chat.path, chat.body('Write it.', ['read'], 0))
    expect(chat.firstCall(answer)).toBeNull()
    expect(answer).toContain('All done.')
  })

  it('quotes what it writes through a shell', async () => {
    const [answer = ''] = await ask(honest, chat.path, chat.body('Write it.', ['bash'], 0))
    expect(chat.firstCall(answer)?.input).toMatchObject({
      command: "mkdir -p 'out' && printf %s 'it'\\''s\n' > 'out/a.txt'",
    })
  })

  it('records every request: what was asked, with which tools, at which step', async () => {
    await ask(honest, chat.path, chat.body('Write it.', ['write'], 1))
    expect(server?.requests).toMatchObject([
      { wire: 'chat', kind: 'work', prompt: 'Write it.', promptNumber: 0, step: 1 },
    ])
    expect(server?.requests[0]?.request).toMatchObject({ system: 'Work.', tools: [{ name: 'write' }] })
  })

  it('counts tokens, lists models, and records unknown addresses', async () => {
    const count = await ask(honest, '/v1/messages/count_tokens', {})
    const gemini = await ask(honest, '/v1beta/models/m:countTokens', {})
    expect([...count, ...gemini].map((answer) => JSON.parse(answer).totalTokens)).toEqual([1000, 1000])
    expect((await fetch(`${server?.url}/v1/models`)).status).toBe(200)
    expect((await fetch(`${server?.url}/telemetry`)).status).toBe(404)
    expect(server?.strays).toEqual(['GET /telemetry'])
  })

  it('rejects a script that can never end', async () => {
    const endless = { prompts: [[act(run('true'))]] }
    await expect(startModelServer(endless)).rejects.toThrow(/must end it/)
  })
})
