import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ProposalView } from '../api/schemas/proposal.ts'
import { type CliFixture, createCliFixture } from './testing/cli-fixture.ts'

/* Contract changes by several agents, one after the other and from another workspace, and copies that are lost. */

let cli: CliFixture
beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

const CONTRACT = `# Nightly

## Tasks

- [ ] fix | Fix the sum | required | verify: exists("fixed.txt")
- [ ] note | Write it down | optional | verify: exists("noted.txt")
`

/** Prepares a workspace whose agent runs these shell lines and says that it has not succeeded. */
async function workspace(name: string, lines: string): Promise<void> {
  const agent = `cat > prompt.txt\n${lines}\ngrep -o 'Task [a-z]*' prompt.txt | head -n 1 | sed 's/Task \\(.*\\)/\`\`\`heartbeat-report\\n{"task_id": "\\1", "status": "failed"}\\n\`\`\`/'\n`
  await cli.write({ [`${name}/agent.sh`]: agent })
}

async function begin(name: string, lines: string): Promise<void> {
  await workspace(name, lines)
  await cli.write({
    [`${name}/HEARTBEAT.md`]: CONTRACT,
    [`${name}/pulseward.toml`]: '[agent]\ncommand = ["sh", "agent.sh"]\nsandbox = "off"\n',
  })
  await cli.run(['add', name, '--trust'])
}

const heartbeat = (name = 'w') => cli.run(['run', '--once', '--json', '--workspace', name])
const contract = (name = 'w') => readFile(join(cli.root, name, 'HEARTBEAT.md'), 'utf8')
const answer = (...words: string[]) => cli.run(['proposals', ...words, '--workspace', 'w'])

async function waiting(name = 'w'): Promise<ProposalView[]> {
  const { stdout } = await cli.run(['proposals', '--json', '--workspace', name])
  return (JSON.parse(stdout) as { proposals: ProposalView[] }).proposals.filter(
    ({ state }) => state === 'pending',
  )
}

describe('proposals of several attempts', () => {
  it('are listed newest first, and answered separately', async () => {
    await begin('w', `sed -i 's/exists("fixed.txt")/true/' HEARTBEAT.md`)
    await heartbeat()
    await workspace('w', `sed -i 's/Write it down/Write nothing/' HEARTBEAT.md`)
    await heartbeat()
    // The newest comes first.
    const [second, first, ...others] = await waiting()
    expect([first, second].map((each) => each?.items.map(({ kind }) => kind))).toEqual([
      ['hint'],
      ['description'],
    ])
    expect(others).toEqual([])
    expect((await answer('accept', second?.id ?? '')).exitCode).toBe(0)
    expect((await answer('revert', first?.id ?? '')).exitCode).toBe(0)
    expect(await contract()).toBe(CONTRACT.replace('Write it down', 'Write nothing'))
    expect(await waiting()).toEqual([])
  })

  it('on the same field are replaced by the later one, and reverting it restores the operator’s text', async () => {
    await begin('w', `sed -i 's/exists("fixed.txt")/exists("a")/' HEARTBEAT.md`)
    await heartbeat()
    await workspace('w', `sed -i 's/exists("a")/exists("b")/' HEARTBEAT.md`)
    await heartbeat()
    const [only, ...others] = await waiting()
    expect(others).toEqual([])
    expect(only?.items).toMatchObject([{ kind: 'hint', before: 'exists("fixed.txt")', after: 'exists("b")' }])
    await answer('revert', only?.id ?? '')
    expect(await contract()).toBe(CONTRACT)
  })
})

it.each([
  ['may_change', 'tests\\/**', 'may_change'],
  ['files', 'never', 'files'],
  ['max_attempts', '99', 'max_attempts'],
])(
  'holds an agent’s edit of %s in its task, and restores the file byte for byte',
  async (field, value, kind) => {
    await begin('w', `sed -i 's/exists("fixed.txt")$/exists("fixed.txt") | ${field}: ${value}/' HEARTBEAT.md`)
    await heartbeat()
    const [proposal, ...others] = await waiting()
    expect(others).toEqual([])
    expect(proposal?.items).toMatchObject([{ kind, taskId: 'fix' }])
    await answer('revert', proposal?.id ?? '')
    expect(await contract()).toBe(CONTRACT)
  },
)

it('an edit by another workspace’s agent becomes a proposal here', async () => {
  await begin('w', 'true')
  await heartbeat()
  await begin('v', `sed -i 's/exists("fixed.txt")/true/' ../w/HEARTBEAT.md`)
  await heartbeat('v')
  expect(await waiting()).toMatchObject([{ items: [{ kind: 'hint', taskId: 'fix', after: 'true' }] }])
  expect(await waiting('v')).toEqual([])
})

it('the operator’s own edit of the line resolves the waiting proposal', async () => {
  await begin('w', `sed -i 's/exists("fixed.txt")/true/' HEARTBEAT.md`)
  await heartbeat()
  const text = (await contract()).replace('verify: true', 'verify: exists("other.txt")')
  await workspace('w', 'true')
  await cli.write({ 'w/HEARTBEAT.md': text })
  await heartbeat()
  expect(await waiting()).toEqual([])
  expect(await contract()).toBe(text)
})

it('runs nothing if the copy of the contract is lost, says why, and uses the file on disk after trust', async () => {
  await begin('w', `sed -i 's/exists("fixed.txt")/true/' HEARTBEAT.md`)
  await heartbeat()
  const workspaces = join(cli.root, 'data', 'workspaces')
  const [id = ''] = await readdir(workspaces)
  await rm(join(workspaces, id, 'contract'), { recursive: true })
  const lost = await heartbeat()
  expect(lost.exitCode).not.toBe(0)
  expect(lost.stderr).toContain('pulseward trust')
  await workspace('w', 'true')
  expect(await cli.run(['trust', 'w'])).toMatchObject({ exitCode: 0, stderr: '' })
  expect((await heartbeat()).stdout).toContain('"attempts"')
})
