import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ProposalView } from '../api/schemas/proposal.ts'
import { type CliFixture, createCliFixture } from './testing/cli-fixture.ts'

/* Undoing the answer to a proposal: it waits again, and what was in effect before is in effect again. */

let cli: CliFixture

// Each test runs a dozen commands, and every command opens the workspace again.
vi.setConfig({ testTimeout: 180_000 })

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(async () => {
  vi.useRealTimers()
  await cli.close()
})

const CONTRACT = `# Nightly

## Tasks

- [ ] fix | Fix the sum | required | verify: exists("fixed.txt")
- [ ] note | Write it down | optional | verify: exists("noted.txt")
`
const WEAKER = CONTRACT.replace('exists("fixed.txt")', 'exists("HEARTBEAT.md")')
const CONFIGURATION = '[agent]\ncommand = ["sh", "agent.sh"]\nsandbox = "off"\n'

const path = (name: string) => join(cli.root, 'w', name)
const contract = () => readFile(path('HEARTBEAT.md'), 'utf8')
const inWorkspace = (...words: string[]) => cli.run([...words, '--workspace', 'w'])

async function begin(lines: string): Promise<ProposalView> {
  await cli.write({
    'w/HEARTBEAT.md': CONTRACT,
    'w/pulseward.toml': CONFIGURATION,
    'w/agent.sh': `cat > prompt.txt\n${lines}\n`,
  })
  await cli.run(['add', 'w', '--trust'])
  await inWorkspace('run', '--once')
  // Later runs of the agent leave the contract and the configuration alone.
  await cli.write({ 'w/agent.sh': 'cat > prompt.txt\n' })
  const [proposal] = await waiting()
  if (proposal === undefined) throw new Error('Nothing was proposed.')
  // Freeze time so that the minute for undoing an answer does not run out on a slow machine.
  vi.useFakeTimers({ toFake: ['Date'] })
  return proposal
}

async function waiting(): Promise<readonly ProposalView[]> {
  const { stdout } = await inWorkspace('proposals', '--json')
  const { proposals } = JSON.parse(stdout) as { proposals: readonly ProposalView[] }
  return proposals
}

/** The verdicts of a heartbeat, by task. */
async function verdicts(): Promise<Record<string, string>> {
  vi.useRealTimers()
  const { stdout } = await inWorkspace('run', '--once', '--json')
  const { attempts } = JSON.parse(stdout) as { attempts: { taskId: string; verdict: string }[] }
  return Object.fromEntries(attempts.map(({ taskId, verdict }) => [taskId, verdict]))
}

const WEAKEN = `sed -i 's/exists("fixed.txt")/exists("HEARTBEAT.md")/' HEARTBEAT.md`

test('undoing an acceptance: the weaker check never counts', async () => {
  const { id, items } = await begin(WEAKEN)
  await inWorkspace('proposals', 'accept', id)
  expect(await waiting()).toEqual([])
  const { stdout, stderr } = await inWorkspace('proposals', 'undo', id)
  expect(stderr).toBe('')
  expect(stdout).toContain('waits for you again')
  expect(await waiting()).toMatchObject([{ id, state: 'pending', answeredAt: null, items }])
  expect(await contract()).toBe(WEAKER)
  expect((await verdicts()).fix).not.toBe('verified')
  // It is answered as if it had never been.
  await inWorkspace('proposals', 'revert', id)
  expect(await contract()).toBe(CONTRACT)
})

test('a reversal: the file is as the agent left it, byte for byte, and still waits', async () => {
  const { id } = await begin(WEAKEN)
  await inWorkspace('proposals', 'revert', id)
  expect(await contract()).toBe(CONTRACT)
  expect((await inWorkspace('proposals', 'undo', id)).exitCode).toBe(0)
  expect(await contract()).toBe(WEAKER)
  expect(await waiting()).toMatchObject([{ id, state: 'pending' }])
  await inWorkspace('proposals', 'accept', id)
  expect((await verdicts()).fix).toBe('verified')
})

test('the answer to a part: the whole waits again', async () => {
  const { id, items } = await begin(`${WEAKEN}; sed -i 's/Write it down/Write/' HEARTBEAT.md`)
  expect(items).toHaveLength(2)
  const before = await contract()
  await inWorkspace('proposals', 'revert', id, '--items', '1')
  expect((await waiting())[0]?.items).toHaveLength(1)
  await inWorkspace('proposals', 'undo', id)
  expect((await waiting())[0]?.items).toEqual(items)
  expect(await contract()).toBe(before)
})

test('undoing a restored configuration brings back the agent’s, and an accepted one stays approved', async () => {
  const { id } = await begin(`sed -i 's/"off"/"auto"/' pulseward.toml`)
  const changed = await readFile(path('pulseward.toml'), 'utf8')
  await inWorkspace('proposals', 'revert', id)
  expect(await readFile(path('pulseward.toml'), 'utf8')).toBe(CONFIGURATION)
  await inWorkspace('proposals', 'undo', id)
  expect(await readFile(path('pulseward.toml'), 'utf8')).toBe(changed)
  expect(await waiting()).toMatchObject([{ id, file: 'pulseward.toml' }])
  await inWorkspace('proposals', 'accept', id)
  const refused = await inWorkspace('proposals', 'undo', id)
  expect(refused.exitCode).not.toBe(0)
  expect(refused.stderr).toContain('There is no answer')
})

test('what has changed since is not undone over it', async () => {
  const { id } = await begin(WEAKEN)
  await inWorkspace('proposals', 'revert', id)
  const edited = CONTRACT.replace('Fix the sum', 'Fix every sum')
  await writeFile(path('HEARTBEAT.md'), edited)
  const { exitCode, stderr } = await inWorkspace('proposals', 'undo', id)
  expect(exitCode).not.toBe(0)
  expect(stderr).toContain('only while its file has not changed since')
  expect(await contract()).toBe(edited)
  expect(await waiting()).toEqual([])
})

test('undoes no answer twice, and refuses if there was none', async () => {
  const { id } = await begin(WEAKEN)
  expect((await inWorkspace('proposals', 'undo', id)).exitCode).not.toBe(0)
  await inWorkspace('proposals', 'accept', id)
  await inWorkspace('proposals', 'undo', id)
  const again = await inWorkspace('proposals', 'undo', id)
  expect(again.exitCode).not.toBe(0)
  expect(await waiting()).toHaveLength(1)
  expect((await inWorkspace('proposals', 'undo')).stderr).toContain('Name the proposal')
})
