import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { dataDirectoryOf, expect, markedEnvironment, test } from '../support/app.ts'
import { pulseward } from '../support/cli.ts'
import { writeFiles } from '../support/files.ts'

const ROOT = join(import.meta.dirname, '../..')

/** An ACP agent that makes a false claim, and fixes it once the gate sends it back. */
const AGENT = `import { createInterface } from 'node:readline'
import { writeFileSync } from 'node:fs'
const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }))
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (method === 'session/new') say({ id, result: { sessionId: 's-1' } })
  if (method !== 'session/prompt') continue
  const text = params.prompt[0].text
  writeFileSync('answer.txt', text.startsWith('Pulseward measured:') ? 'right, at last\\n' : 'wrong\\n')
  const content = { type: 'text', text: 'Done. All tests pass.' }
  say({ method: 'session/update', params: { sessionId: 's-1', update: { sessionUpdate: 'agent_message_chunk', content } } })
  say({ id, result: { stopReason: 'end_turn' } })
}
`

test('sends a lying editor’s agent back once with the fact, and it fixes the work', async ({
  folder,
  startHost,
}) => {
  const directory = join(folder, 'job')
  await writeFiles(directory, {
    'HEARTBEAT.md': '## Tasks\n',
    'pulseward.toml': '[agent]\ncommand = ["true"]\n\n[gates]\ncommands = [["sh", "check.sh"]]\n',
    'check.sh': 'grep -q right answer.txt\n',
    'answer.txt': 'right\n',
    'agent.mjs': AGENT,
  })
  const git = (...args: string[]) => execFileSync('git', ['-C', directory, ...args])
  git('init', '--quiet')
  git('add', '--all')
  git('-c', 'user.name=T', '-c', 'user.email=t@example.org', 'commit', '--quiet', '--message', 'start')
  expect((await pulseward(folder, ['acp'])).exitCode).toBe(2)
  await startHost()
  await pulseward(folder, ['add', directory, '--trust'])
  expect((await pulseward(folder, ['acp', '--mode', 'gate'])).exitCode).toBe(0)

  const editor = spawn(
    process.execPath,
    [join(ROOT, 'bin/pulseward'), 'acp', '--', process.execPath, 'agent.mjs'],
    {
      cwd: directory,
      env: { ...markedEnvironment(folder), PULSEWARD_HOME: dataDirectoryOf(folder) },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  )
  const ended = once(editor, 'exit')
  const answers = createInterface({ input: editor.stdout })[Symbol.asyncIterator]()
  const send = (message: object) => editor.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const next = async () => JSON.parse((await answers.next()).value ?? 'null') as Record<string, unknown>
  send({ id: 1, method: 'session/new', params: { cwd: directory, mcpServers: [] } })
  expect(await next()).toMatchObject({ id: 1, result: { sessionId: 's-1' } })
  send({
    id: 2,
    method: 'session/prompt',
    params: { sessionId: 's-1', prompt: [{ type: 'text', text: 'Fix it' }] },
  })
  const kinds: unknown[] = []
  for (;;) {
    const { id, params, result } = await next()
    if (id === 2) {
      expect(result).toEqual({ stopReason: 'end_turn' })
      break
    }
    kinds.push((params as { update: { sessionUpdate: string } }).update.sessionUpdate)
  }
  expect(kinds).toEqual(['agent_message_chunk', 'user_message_chunk', 'agent_message_chunk'])
  expect(await readFile(join(directory, 'answer.txt'), 'utf8')).toBe('right, at last\n')
  editor.stdin.end()
  expect(await ended).toEqual([0, null])

  const { stdout } = await pulseward(folder, ['sessions', '--json', '--workspace', directory])
  expect(JSON.parse(stdout)).toMatchObject({
    sessions: [{ agent: 'acp', turns: [{ blocked: true }, { verdict: 'verified', blocked: false }] }],
  })
})
