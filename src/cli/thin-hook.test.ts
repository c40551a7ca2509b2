import { execFileSync, spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const SCRIPT = join(import.meta.dirname, 'thin-hook.ts')

let root = ''
let server: Server | null = null
interface Sent {
  readonly text: string
  readonly waitMs: number
  readonly directory: string
}
let bodies: Sent[] = []
const place = (name: string): string => join(root, name)

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'pulseward-thin-')))
  for (const name of ['data', 'workspace/deep', 'elsewhere']) mkdirSync(place(name), { recursive: true })
})
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
  server = null
  rmSync(root, { recursive: true, force: true })
})

interface Ran {
  readonly code: number | null
  readonly printed: string
}

function hook(
  input: string | Buffer,
  {
    event = 'stop',
    agent = 'claude',
    args = [],
    env = {},
    cwd = root,
  }: { event?: string; agent?: string; args?: string[]; env?: Record<string, string>; cwd?: string } = {},
): Promise<Ran> {
  return new Promise((done) => {
    const { PULSEWARD_SUPERVISOR: _, ...inherited } = process.env
    const words = [SCRIPT, event, '--agent', agent, '--data-dir', place('data'), ...args]
    const child = spawn(process.execPath, words, {
      cwd,
      env: { ...inherited, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    let printed = ''
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString('utf8')
    })
    child.on('close', (code) => done({ code, printed }))
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
  })
}

function index(directory = place('workspace'), rest: object = {}): void {
  const workspaces = [{ id: 'w', directory, common: null, prefix: '', ...rest }]
  writeFileSync(place('data/hook-index.json'), JSON.stringify({ version: 1, workspaces }))
}

/** Starts a host that gives this answer; resolves to the requests it got. */
async function host(answer: RequestListener): Promise<string[]> {
  const asked: string[] = []
  bodies = []
  const started = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization}`)
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString('utf8')
    })
    // The hook ends once it is answered, so answering before the last byte would cut off what it sends.
    request.on('end', () => {
      bodies.push(JSON.parse(body) as Sent)
      answer(request, response)
    })
  })
  server = started
  await new Promise<void>((ready) => started.listen(0, '127.0.0.1', ready))
  const { port } = started.address() as AddressInfo
  writeFileSync(place('data/server.json'), JSON.stringify({ port, token: 'secret', pid: process.pid }))
  return asked
}

const says =
  (document: unknown): RequestListener =>
  (_request, response) =>
    void response.end(JSON.stringify({ document }))
const input = (cwd = place('workspace'), rest: object = {}) =>
  JSON.stringify({ session_id: 's', cwd, ...rest })
const spooled = () =>
  existsSync(place('data/hook-spool.jsonl')) ? readFileSync(place('data/hook-spool.jsonl'), 'utf8') : ''
const SILENT = { code: 0, printed: '' }
const BLOCK = { decision: 'block', reason: 'It fails.' }

describe('the hook of an agent’s program', { timeout: 60_000 }, () => {
  it('prints nothing and writes nothing if there is no workspace', async () => {
    expect(await hook(input())).toEqual(SILENT)
    const asked = await host(says(BLOCK))
    index()
    expect(await hook(input(place('elsewhere')))).toEqual(SILENT)
    expect({ asked, spooled: spooled(), called: existsSync(place('data/hooks')) }).toEqual({
      asked: [],
      spooled: '',
      called: false,
    })
  })

  it.each([
    ['claude', { decision: 'block', reason: 'It fails.' }],
    ['cursor', { followup_message: 'It fails.' }],
  ] as const)('prints exactly one document for %s, with no other keys', async (agent, expected) => {
    index()
    const asked = await host(says({ ...BLOCK, continue: true, extra: 1 }))
    const { code, printed } = await hook(input(place('workspace/deep')), { agent })
    expect({ code, document: JSON.parse(printed) as unknown }).toEqual({ code: 0, document: expected })
    expect(asked).toEqual(['POST /api/sessions/hook Bearer secret'])
    expect(existsSync(place(`data/hooks/called/${agent}`))).toBe(true)
  })

  it('finds a workspace through the repository of its work tree', async () => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', ...args], {
        cwd: place('workspace'),
        stdio: 'pipe',
      })
    git('init', '-q')
    git('commit', '-q', '--allow-empty', '-m', 'first')
    git('worktree', 'add', '-q', place('tree'))
    index(place('workspace'), { common: place('workspace/.git') })
    await host(says(BLOCK))
    expect((await hook(input(place('tree')))).printed).toContain('It fails.')
  })

  it.each<readonly [string, RequestListener]>([
    ['is silent', says(null)],
    ['fails', (_request, response) => void response.writeHead(500).end('{}')],
    ['refuses', (_request, response) => void response.writeHead(403).end('{}')],
    ['does not answer with JSON', (_request, response) => void response.end('<html>')],
    ['gives an invalid reason', says({ decision: 'block', reason: 7 })],
    ['hangs up', (request) => void request.socket.destroy()],
  ])('lets the agent stop if the host %s', async (_title, answer) => {
    index()
    await host(answer)
    expect(await hook(input())).toEqual(SILENT)
  })

  it('lets the agent stop at its deadline, and records that', async () => {
    index()
    await host(() => undefined)
    expect(await hook(input(), { args: ['--timeout', '0.2'] })).toEqual(SILENT)
    expect(spooled()).toContain('"why":"deadline"')
  })

  it('records the stops that no host received, and no others', async () => {
    index()
    expect(await hook(input())).toEqual(SILENT)
    expect(await hook(input(), { event: 'prompt' })).toEqual(SILENT)
    const lines = spooled().trim().split('\n')
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { agent: 'claude', event: 'stop', why: 'away', directory: place('workspace'), sessionId: 's' },
    ])
  })

  it('asks no host if the agent is supervised', async () => {
    index()
    const asked = await host(says(BLOCK))
    expect(await hook(input(), { env: { PULSEWARD_SUPERVISOR: 'x' } })).toEqual(SILENT)
    expect(asked).toEqual([])
  })

  it.each<readonly [string, string | Buffer]>([
    ['nothing', ''],
    ['null', 'null'],
    ['a folder of the wrong type', JSON.stringify({ cwd: { a: 1 }, workspace_roots: 'x' })],
    ['binary data', Buffer.from([0xff, 0xfe, 0x00, 0x80])],
    ['more than the size limit', Buffer.alloc(9 * 1024 * 1024, 0x20)],
  ])('uses the folder that it was started in if the program writes %s', async (_title, text) => {
    index()
    await host(says(BLOCK))
    const { code, printed } = await hook(text, { cwd: place('workspace') })
    expect({ code, document: JSON.parse(printed) as unknown }).toEqual({ code: 0, document: BLOCK })
  })

  it('prints nothing for a folder that does not exist', async () => {
    index()
    const asked = await host(says(BLOCK))
    expect(await hook(JSON.stringify({ cwd: '/not/there' }), { cwd: place('workspace') })).toEqual(SILENT)
    expect(asked).toEqual([])
  })

  it.each<readonly [string, string]>([
    ['incomplete JSON', '{"session_id":"s","cwd":"'],
    [
      'input over the size limit',
      `{"session_id":"s","last_assistant_message":"${'x'.repeat(9 * 1024 * 1024)}"}`,
    ],
  ])('tells the host that it could not read %s', async (_title, text) => {
    index()
    await host(says(BLOCK))
    expect((await hook(text, { cwd: place('workspace') })).printed).toContain('It fails.')
    expect(JSON.parse(bodies[0]?.text ?? '')).toEqual({ session_id: 's', pulseward_unreadable: true })
  })

  it('shortens input that is too long for the host, and keeps the end of the message', async () => {
    index()
    await host(says(null))
    const long = 'x'.repeat(900_000)
    const fields = {
      last_assistant_message: `${long}All tests pass.`,
      tool_input: { content: long, file_path: '/a' },
    }
    await hook(input(place('workspace'), fields), { cwd: place('workspace') })
    const sent = JSON.parse(bodies[0]?.text ?? '') as Record<string, unknown>
    expect(bodies[0]?.text.length).toBeLessThan(700 * 1024)
    expect(sent).toMatchObject({ session_id: 's', tool_input: { file_path: '/a' } })
    expect(sent.last_assistant_message).toMatch(/x{1000}All tests pass\.$/)
  })

  it.each([
    // The hook itself waits for 60 and 5 s, so the host has to answer before.
    ['stop', 58_500],
    ['tool', 4500],
  ])(
    'gives the host time for an answer to %s, and waits no longer than the event allows',
    async (event, mostMs) => {
      index()
      await host(says(null))
      await hook(input(), { event })
      const waitMs = bodies[0]?.waitMs ?? Number.NaN
      expect(waitMs).toBeLessThanOrEqual(mostMs)
      expect(waitMs > 5000).toBe(event === 'stop')
    },
  )

  it('asks about a session that began in a workspace, even if its agent has since changed folders', async () => {
    index()
    const asked = await host(says(BLOCK))
    const known = { version: 1, workspaces: [{ directory: place('workspace') }], sessions: ['s'] }
    writeFileSync(place('data/hook-index.json'), JSON.stringify(known))
    expect((await hook(input(place('elsewhere')))).printed).toContain('It fails.')
    expect((await hook(input(place('gone')))).printed).toContain('It fails.')
    expect(await hook(JSON.stringify({ session_id: 'other', cwd: place('elsewhere') }))).toEqual(SILENT)
    expect(asked).toHaveLength(2)
  })

  it('does not wait for a pipe that is named like a git file', async () => {
    index()
    await host(says(BLOCK))
    execFileSync('mkfifo', [place('elsewhere/.git')])
    expect(await hook(input(place('elsewhere')))).toEqual(SILENT)
  })

  it.each([
    ['no agent', ['stop']],
    ['no event', ['--agent', 'claude']],
    ['an invalid agent name', ['stop', '--agent', '../../x']],
  ])('exits with 0 if it is called with %s', async (_title, args) => {
    index()
    const asked = await host(says(BLOCK))
    const words = [SCRIPT, ...args, '--data-dir', place('data')]
    const child = spawn(process.execPath, words, {
      cwd: place('workspace'),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    expect({ code: await new Promise((done) => child.on('close', done)), asked }).toEqual({
      code: 0,
      asked: [],
    })
  })

  it('passes on the host’s answer for other events in the program’s own form', async () => {
    index()
    const document = { hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'x' } }
    await host(says(document))
    const { printed } = await hook(input(), { event: 'prompt' })
    expect(JSON.parse(printed)).toEqual(document)
  })
})
