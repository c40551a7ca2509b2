import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ProposalView } from '../api/schemas/proposal.ts'
import { type CliFixture, createCliFixture } from './testing/cli-fixture.ts'

/* Undoing the answer to a proposal: it is pending again, and what was in effect before is in effect again. */

let cli: CliFixture

// Each test runs a dozen commands, and every command reopens the workspace.
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

/** Runs a heartbeat and returns its verdicts by task. */
async function verdicts(): Promise<Record<string, string>> {
  vi.useRealTimers()
  const { stdout } = await inWorkspace('run', '--once', '--json')
  const { attempts } = JSON.parse(stdout) as { attempts: { taskId: string; verdict: string }[] }
  return Object.fromEntries(attempts.map(({ taskId, verdict }) => [taskId, verdict]))
}

const WEAKEN = `sed -i 's/exists("fixed.txt")/exists("HEARTBEAT.md")/' HEARTBEAT.md`

test('undoing an acceptance takes the weaker check out of effect', async () => {
  const { id, items } = await begin(WEAKEN)
  await inWorkspace('proposals', 'accept', id)
  expect(await waiting()).toEqual([])
  const { stdout, stderr } = await inWorkspace('proposals', 'undo', id)
  expect(stderr).toBe('')
  expect(stdout).toContain('needs your review again')
  expect(await waiting()).toMatchObject([{ id, state: 'pending', answeredAt: null, items }])
  expect(await contract()).toBe(WEAKER)
  expect((await verdicts()).fix).not.toBe('verified')
  // It can be answered again, as if for the first time.
  await inWorkspace('proposals', 'revert', id)
  expect(await contract()).toBe(CONTRACT)
})

test('undoing a reversal restores the agent’s file byte for byte, and the proposal is pending again', async () => {
  const { id } = await begin(WEAKEN)
  await inWorkspace('proposals', 'revert', id)
  expect(await contract()).toBe(CONTRACT)
  expect((await inWorkspace('proposals', 'undo', id)).exitCode).toBe(0)
  expect(await contract()).toBe(WEAKER)
  expect(await waiting()).toMatchObject([{ id, state: 'pending' }])
  await inWorkspace('proposals', 'accept', id)
  expect((await verdicts()).fix).toBe('verified')
})

test('undoing a partial answer makes the whole proposal pending again', async () => {
  const { id, items } = await begin(`${WEAKEN}; sed -i 's/Write it down/Write/' HEARTBEAT.md`)
  expect(items).toHaveLength(2)
  const before = await contract()
  await inWorkspace('proposals', 'revert', id, '--items', '1')
  expect((await waiting())[0]?.items).toHaveLength(1)
  await inWorkspace('proposals', 'undo', id)
  expect((await waiting())[0]?.items).toEqual(items)
  expect(await contract()).toBe(before)
})

test('undoing a restored configuration brings back the agent’s version, and an accepted one stays approved', async () => {
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

test('refuses to undo an answer over later changes', async () => {
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

test('does not undo an answer twice, or one that was never given', async () => {
  const { id } = await begin(WEAKEN)
  expect((await inWorkspace('proposals', 'undo', id)).exitCode).not.toBe(0)
  await inWorkspace('proposals', 'accept', id)
  await inWorkspace('proposals', 'undo', id)
  const again = await inWorkspace('proposals', 'undo', id)
  expect(again.exitCode).not.toBe(0)
  expect(await waiting()).toHaveLength(1)
  expect((await inWorkspace('proposals', 'undo')).stderr).toContain('Name the proposal')
})
