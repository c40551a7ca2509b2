import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type TemporaryHost, temporaryHost } from '../testing/temporary-host.ts'

/* Buttons in ntfy messages, from the message to their effect, with a test receiver, a real host and a real agent. */

interface Button {
  readonly label: string
  readonly url: string
  readonly method?: string
}

interface Told {
  readonly title: string
  readonly actions?: readonly Button[]
}

const AGENT = join(import.meta.dirname, '../../../e2e/cli/acp-agent.mjs')
const ASKS = `[agent]\nid = "stranger"\nkind = "acp"\ncommand = ${JSON.stringify([process.execPath, AGENT, 'asking'])}\npermission_timeout_seconds = 600\n`
const asks = (maxAttempts: number) =>
  `## Tasks\n\n- [ ] job | Write made.txt | required | verify: changed("made.txt") | max_attempts: ${maxAttempts}\n`
const LAZY = {
  contract: '## Tasks\n\n- [ ] job | Do it | required | verify: exists("never") | max_attempts: 1\n',
}

let host: TemporaryHost
let told: Told[]
const phone = createServer(async (arrived, response) => {
  let body = ''
  for await (const chunk of arrived) body += String(chunk)
  told.push(JSON.parse(body))
  response.end()
})

beforeEach(async () => {
  told = []
  await new Promise<void>((resolve) => phone.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  await host.remove()
  phone.closeAllConnections()
  await new Promise((resolve) => phone.close(resolve))
})

/** Sets up the phone's channel, at an address that only the tunnel knows. */
async function tellPhone(answers: boolean): Promise<void> {
  const { port } = phone.address() as AddressInfo
  await host.client.channels.put({
    name: 'phone',
    type: 'ntfy',
    address: `http://127.0.0.1:${port}/topic`,
    link: 'https://tunnel.example.org/',
    answers,
  })
}

const SLOW = 240_000
const patient = { timeout: 120_000, interval: 20 }

/** Returns the buttons of the message with these words, once it has arrived. */
async function buttonsOf(words: string): Promise<Readonly<Record<string, string>>> {
  const message = await vi.waitFor(() => {
    const found = told.find(({ title }) => title.includes(words))
    if (found === undefined) throw new Error(`The phone got ${JSON.stringify(told)}`)
    return found
  }, patient)
  return Object.fromEntries((message.actions ?? []).map(({ label, url }) => [label, url]))
}

/** Forwards a button press as a tunnel does: with the same path, under the host name that the phone used. */
function press(address = '', method = 'POST'): Promise<{ status: number; words: string }> {
  const { pathname, host: name } = new URL(address)
  const { port } = host.server
  return new Promise((resolve, reject) => {
    const asked = request({ port, host: '127.0.0.1', path: pathname, method, headers: { host: name } })
    asked.on('error', reject)
    asked.on('response', async (response) => {
      let words = ''
      for await (const chunk of response) words += String(chunk)
      resolve({ status: response.statusCode ?? 0, words: words.trim() })
    })
    asked.end()
  })
}

const run = (workspace: string) => host.client.heartbeat.run({ workspace, wait: true })

it(
  'unblocks a task from the phone, once, and records the channel',
  async () => {
    host = await temporaryHost({ backend: LAZY })
    await tellPhone(true)
    const id = host.id('backend')
    await run(id)
    const buttons = await buttonsOf('job is blocked')
    expect(Object.keys(buttons)).toEqual(['Open', 'Unblock', 'Pause'])
    // A mere GET of the address, as link previews do, answers nothing.
    expect(await press(buttons.Unblock, 'GET')).toMatchObject({ status: 405 })
    expect(await press(buttons.Unblock)).toEqual({
      status: 200,
      words: 'Unblocked. The task has its attempts again.',
    })
    expect(await host.client.tasks.blocked({ workspace: id })).toEqual([])
    const { entries } = await host.client.timeline.list({ workspace: id })
    expect(JSON.stringify(entries)).toContain('a button sent by phone')
    expect(await press(buttons.Unblock)).toMatchObject({ status: 410 })
    expect(await press(buttons.Pause)).toMatchObject({ status: 200, words: 'Paused until you resume it.' })
    expect((await host.client.workspaces.list()).map(({ paused }) => paused)).toMatchObject([{ until: null }])
  },
  SLOW,
)

it(
  'answers an agent from the phone when it asks without a viewer',
  async () => {
    host = await temporaryHost({ asked: { contract: asks(3), configuration: ASKS } })
    await tellPhone(true)
    const running = run(host.id('asked'))
    const buttons = await buttonsOf('asks for permission')
    expect(Object.keys(buttons)).toEqual(['Open', 'Allow once', 'Deny'])
    expect(await press(buttons['Allow once'])).toEqual({ status: 200, words: 'Allowed once.' })
    // The other button of an answered request no longer does anything.
    expect(await press(buttons.Deny)).toMatchObject({
      status: 409,
      words: expect.stringContaining('allowed'),
    })
    await running
    const score = await host.client.score.get({ workspace: host.id('asked') })
    expect(score).toMatchObject({ verified: 1 })
  },
  SLOW,
)

it(
  'without buttons, sends only the link, lets nothing wait for an answer, and accepts no code',
  async () => {
    host = await temporaryHost({ asked: { contract: asks(1), configuration: ASKS }, backend: LAZY })
    await tellPhone(false)
    await run(host.id('asked'))
    await run(host.id('backend'))
    expect(Object.keys(await buttonsOf('job is blocked'))).toEqual(['Open'])
    expect(told.filter(({ title }) => title.includes('asks for permission'))).toEqual([])
    const { server } = host
    const guessed = `https://tunnel.example.org/answer/${Buffer.alloc(24, 7).toString('base64url')}`
    expect(await press(guessed)).toMatchObject({ status: 410 })
    // Under the tunnel's name the page and its API are as closed as before.
    expect(await press('https://tunnel.example.org/api/workspaces', 'GET')).toMatchObject({ status: 403 })
    expect(await press(`https://tunnel.example.org/answer/${server.token}`)).toMatchObject({ status: 410 })
  },
  SLOW,
)

it(
  'buttons need a link to be answered at',
  async () => {
    host = await temporaryHost()
    const channel = {
      name: 'phone',
      type: 'ntfy',
      address: 'http://127.0.0.1:9/topic',
      answers: true,
    } as const
    await expect(host.client.channels.put(channel)).rejects.toThrow('buttons require a channel of type ntfy')
    await tellPhone(true)
    const rules = { kinds: [], severity: 'info', workspaces: [], quietHours: null } as const
    const change = { ...rules, name: 'phone', kinds: [], workspaces: [], link: null, answers: true }
    await expect(host.client.channels.change(change)).rejects.toThrow(
      'buttons require a channel of type ntfy',
    )
  },
  SLOW,
)
