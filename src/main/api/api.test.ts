import { isDefinedError } from '@orpc/client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ApiRequest, adapters, type Connection } from './testing/adapters.ts'
import { createRecordingLog } from './testing/recording-log.ts'
import { createSmallHost, type SmallHost } from './testing/small-host.ts'

interface Case extends ApiRequest {
  readonly title: string
  readonly value?: unknown
  readonly error?: { readonly code: string; readonly status: number; readonly message: unknown }
}

const cases: readonly Case[] = [
  {
    title: 'returns what a procedure returns',
    call: (client) => client.score.get({}),
    http: ['GET', '/api/score'],
    value: { score: 10 },
  },
  {
    title: 'takes a field from the body',
    call: (client) => client.score.feedback({ workspace: 'two', feedback: 'down' }),
    http: ['POST', '/api/score/feedback', { workspace: 'two', feedback: 'down' }],
    value: { delta: -10, score: 0 },
  },
  {
    title: 'takes the workspace from the path, in addition to a body',
    call: (client) => client.score.feedback({ workspace: 'two', feedback: 'up' }),
    http: ['POST', '/api/score/feedback?workspace=two', { feedback: 'up' }],
    value: { delta: 3, score: 13 },
  },
  {
    title: "passes on a procedure's refusal, in its words",
    call: (client) => client.score.feedback({ workspace: 'nowhere', feedback: 'up' }),
    http: ['POST', '/api/score/feedback?workspace=nowhere', { feedback: 'up' }],
    error: { code: 'NOT_FOUND', status: 404, message: 'No workspace nowhere; there are: one, two' },
  },
  {
    title: 'says which field is wrong',
    // @ts-expect-error -- what a client without types may send
    call: (client) => client.score.feedback({ feedback: 'sideways' }),
    http: ['POST', '/api/score/feedback', { feedback: 'sideways' }],
    error: { code: 'BAD_REQUEST', status: 400, message: expect.stringMatching(/^feedback: .*"up"\|"down"/) },
  },
  {
    title: 'names every missing field',
    // @ts-expect-error -- what a client without types may send
    call: (client) => client.text({}),
    http: ['PUT', '/api/text', {}],
    error: { code: 'BAD_REQUEST', status: 400, message: expect.stringMatching(/^text: .*; hash: /) },
  },
  {
    title: 'needs no body if there are no fields',
    call: (client) => client.text({ text: 'abc', hash: '' }),
    http: ['PUT', '/api/text', { text: 'abc', hash: '' }],
    value: { length: 3 },
  },
]

describe.each(adapters)('the API $name', ({ connect }) => {
  let host: SmallHost
  let log: ReturnType<typeof createRecordingLog>
  let connection: Connection

  beforeEach(async () => {
    log = createRecordingLog()
    host = createSmallHost(log)
    connection = await connect(host, log)
  })
  afterEach(() => connection.close())

  it.each(cases)('$title', async (each) => {
    const outcome = await connection.send(each)
    expect(outcome).toMatchObject(each.error === undefined ? { value: each.value } : { error: each.error })
    expect(log.lines).toEqual([])
  })

  it('waits for a slow procedure', async () => {
    const running = connection.send({ call: (client) => client.run({}), http: ['POST', '/api/run'] })
    await expect.poll(() => host.runningCount()).toBe(1)
    host.finishRuns()
    expect(await running).toEqual({ value: { ran: true } })
  })

  it.each([
    ['fails', () => Promise.reject(new Error('cannot open /home/me/secret'))],
    ['answers in an invalid shape', () => ({ secret: 'secret' })],
  ])('logs the cause when the host %s', async (_, text) => {
    host.text = text
    const outcome = await connection.send({
      call: (client) => client.text({ text: '', hash: '' }),
      http: ['PUT', '/api/text', { text: '', hash: '' }],
    })
    expect(outcome).toEqual({
      error: {
        code: 'INTERNAL',
        status: 500,
        message: "Internal error; see the host's log for its cause.",
      },
    })
    expect(log.lines).toEqual([expect.stringContaining('"procedure":"text"')])
  })
})

describe.each(adapters.filter(({ name }) => !name.endsWith('OpenAPI')))(
  'typed clients $name',
  ({ connect }) => {
    let host: SmallHost
    let connection: Connection

    beforeEach(async () => {
      const log = createRecordingLog()
      host = createSmallHost(log)
      connection = await connect(host, log)
    })
    afterEach(() => connection.close())

    it('receive the errors that the API declares, with their data', async () => {
      const error = await connection.client?.score.get({ workspace: 'x' }).catch((cause: unknown) => cause)
      expect(isDefinedError(error)).toBe(true)
      expect(error).toMatchObject({ data: { known: ['one', 'two'] } })
    })

    it('receive every event, and leave nothing open when they disconnect', async () => {
      const events = await connection.client?.events()
      const first = events?.next()
      await expect.poll(() => host.listenerCount()).toBe(1)
      host.emit({ type: 'said', text: 'a' })
      expect((await first)?.value).toEqual({ type: 'said', text: 'a' })
      const pending = events?.next()
      host.emit({ type: 'said', text: 'b' })
      await pending
      await events?.return?.()
      await expect.poll(() => host.listenerCount()).toBe(0)
    })

    it('are told if the workspace of their events does not exist', async () => {
      await expect(connection.client?.events({ workspace: 'nowhere' })).rejects.toMatchObject({
        code: 'NOT_FOUND',
      })
      expect(host.listenerCount()).toBe(0)
    })
  },
)
