import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ProposalView } from '../api/schemas/proposal.ts'
import type { RunReport } from '../core/read-model/attempt.ts'
import { SUPERVISOR_VARIABLE } from '../core/vocabulary/supervisor-variable.ts'
import { supervisorTag } from '../main/process/supervisor-tag.ts'
import { type CliFixture, createCliFixture } from './testing/cli-fixture.ts'

/* The operator's own edits while a proposed change waits for an answer, and edits by processes that outlive their attempt. */

let cli: CliFixture
const closers: (() => unknown)[] = []

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(async () => {
  for (const close of closers.splice(0)) close()
  await cli.close()
})

const CONTRACT = `# Nightly

## Tasks

- [ ] fix | Fix the sum | required | verify: exists("fixed.txt")
- [ ] note | Write it down | optional | verify: exists("noted.txt")
`

const contractPath = () => join(cli.root, 'w/HEARTBEAT.md')
const contract = () => readFile(contractPath(), 'utf8')
const inWorkspace = (...words: string[]) => cli.run([...words, '--workspace', 'w'])

const agent = (lines: string) =>
  cli.write({
    'w/agent.sh': `cat > prompt.txt\n${lines}\ngrep -o 'Task [a-z]*' prompt.txt | head -n 1 | sed 's/Task \\(.*\\)/\`\`\`heartbeat-report\\n{"task_id": "\\1", "status": "failed"}\\n\`\`\`/'\n`,
  })

async function begin(lines: string): Promise<void> {
  await agent(lines)
  await cli.write({
    'w/HEARTBEAT.md': CONTRACT,
    'w/pulseward.toml': '[agent]\ncommand = ["sh", "agent.sh"]\nsandbox = "off"\n',
  })
  await cli.run(['add', 'w', '--trust'])
}

async function heartbeat(): Promise<RunReport['attempts']> {
  const { stdout, stderr } = await inWorkspace('run', '--once', '--json')
  if (stdout === '') throw new Error(stderr)
  return (JSON.parse(stdout) as RunReport).attempts
}

async function waiting(): Promise<readonly ProposalView[]> {
  const { stdout } = await inWorkspace('proposals', '--json')
  const { proposals } = JSON.parse(stdout) as { proposals: readonly ProposalView[] }
  return proposals.filter(({ state }) => state === 'pending')
}

describe('the operator edits while a proposal waits', () => {
  test('elsewhere in the contract, and both edits are kept', async () => {
    await begin(`sed -i 's/exists("fixed.txt")/true/' HEARTBEAT.md`)
    await heartbeat()
    await agent('true')
    await writeFile(
      contractPath(),
      `${await contract()}- [ ] more | Do more | verify: exists("HEARTBEAT.md")\n`,
    )
    const attempts = await heartbeat()
    expect(attempts.map(({ taskId }) => taskId)).toEqual(['fix', 'note', 'more'])
    expect(attempts[2]).toMatchObject({ verdict: 'not_verified', interventions: expect.any(Array) })
    expect(await waiting()).toMatchObject([{ items: [{ kind: 'hint', after: 'true' }] }])
    await inWorkspace('proposals', 'revert', (await waiting())[0]?.id ?? '')
    expect(await contract()).toBe(`${CONTRACT}- [ ] more | Do more | verify: exists("HEARTBEAT.md")\n`)
  })

  test('asks if the two edits cannot be separated, and uses the operator’s last version until then', async () => {
    await begin(`sed -i 's/## Tasks/## Done/' HEARTBEAT.md`)
    await heartbeat()
    await agent('true')
    await writeFile(contractPath(), (await contract()).replace('Fix the sum', 'Fix every sum'))
    expect((await heartbeat()).map(({ taskId }) => taskId)).toEqual(['fix', 'note'])
    const status = await inWorkspace('status', '--json')
    expect(status.stdout).toContain('"proposal-conflict"')
    for (const { id } of await waiting()) await inWorkspace('proposals', 'revert', id)
    expect(await contract()).toBe(CONTRACT)
  })
})

test('undoing an attempt leaves its accepted contract change in effect', async () => {
  await begin(`sed -i 's/exists("fixed.txt")/exists("other.txt")/' HEARTBEAT.md; date > work.txt`)
  const [first] = await heartbeat()
  const [proposal] = await waiting()
  await inWorkspace('proposals', 'accept', proposal?.id ?? '')
  const accepted = await contract()
  expect((await inWorkspace('undo', first?.attemptId ?? '')).stderr).toBe('')
  expect(await contract()).toBe(accepted)
  expect(await waiting()).toEqual([])
})

test('undoing an attempt does not bring back its reverted contract change', async () => {
  await begin(`sed -i 's/exists("fixed.txt")/exists("other.txt")/' HEARTBEAT.md; date > work.txt`)
  const [first] = await heartbeat()
  const [proposal] = await waiting()
  await inWorkspace('proposals', 'revert', proposal?.id ?? '')
  await inWorkspace('undo', first?.attemptId ?? '')
  expect(await contract()).toBe(CONTRACT)
  expect(await waiting()).toEqual([])
})

describe.runIf(process.platform === 'linux')('a surviving process of an earlier attempt', () => {
  /** Starts a process like one that an agent left behind, recognizable by a variable in its environment. */
  async function leftBehind(): Promise<void> {
    const variable = { [SUPERVISOR_VARIABLE]: supervisorTag(cli.dataDirectory) }
    const child = spawn('sh', ['-c', 'echo here; exec sleep 60'], { env: { ...process.env, ...variable } })
    closers.push(() => child.kill('SIGKILL'))
    await once(child.stdout, 'data')
  }

  test.each([
    ['a weakened check', 'exists("fixed.txt")', 'true', 'hint'],
    [
      'a higher attempt limit',
      'exists("fixed.txt")',
      'exists("fixed.txt") | max_attempts: 99',
      'max_attempts',
    ],
  ])(
    '%s between heartbeats becomes a proposal, not the operator’s edit',
    async (_name, before, after, kind) => {
      await begin('true')
      await heartbeat()
      await leftBehind()
      await writeFile(contractPath(), CONTRACT.replace(before, after))
      expect((await waiting()).map(({ items }) => items.map((item) => item.kind))).toEqual([[kind]])
      expect((await heartbeat()).find(({ taskId }) => taskId === 'fix')).toMatchObject({
        verdict: 'not_verified',
      })
    },
  )

  test('a box checked between heartbeats does not close the task', async () => {
    await begin('true')
    await heartbeat()
    await leftBehind()
    await writeFile(contractPath(), CONTRACT.replace('- [ ] fix', '- [x] fix'))
    expect((await heartbeat()).map(({ taskId }) => taskId)).toContain('fix')
  })
})

test('reverting one of two proposals for a file does not report the file as restored', async () => {
  await begin(`sed -i 's/- \\[ \\] fix/- [x] fix/; /Write it down/d' HEARTBEAT.md`)
  await heartbeat()
  const [first, second] = await waiting()
  expect(second).toBeDefined()
  const { stdout } = await inWorkspace('proposals', 'revert', first?.id ?? '')
  expect(stdout).toContain(`still differs from how you left it by ${second?.id}`)
  const last = await inWorkspace('proposals', 'revert', second?.id ?? '')
  expect(last.stdout).toContain('HEARTBEAT.md is as you left it')
  expect(await contract()).toBe(CONTRACT)
})
