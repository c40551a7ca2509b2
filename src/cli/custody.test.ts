import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ProposalView } from '../api/schemas/proposal.ts'
import { type CliFixture, createCliFixture } from './testing/cli-fixture.ts'

/*
 * Keeps the contract and the configuration safe from the agent: real agents edit them, heartbeat after heartbeat.
 */

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

const CONTRACT = `# Nightly

## Tasks

- [ ] fix | Fix the sum | required | verify: exists("fixed.txt")
  - [ ] look at it
- [ ] note | Write it down | optional | verify: exists("noted.txt")
`

/** An agent that runs `act.mjs` from its folder with its task, and claims to be done. */
const AGENT = `
let prompt = ''
for await (const chunk of process.stdin) prompt += chunk
const task = /## Task (\\S+)/.exec(prompt)[1]
const { act } = await import('./act.mjs')
await act(task, prompt)
console.log('\`\`\`heartbeat-report\\n' + JSON.stringify({ task_id: task, status: 'done' }) + '\\n\`\`\`')
`
const EDIT = `
import { readFileSync, writeFileSync, appendFileSync } from 'node:fs'
const edit = (file, change) => writeFileSync(file, change(readFileSync(file, 'utf8')))
`

const contractPath = () => join(cli.root, 'w/HEARTBEAT.md')
const readContract = () => readFile(contractPath(), 'utf8')

async function workspace(act: string, contract = CONTRACT): Promise<void> {
  await cli.write({
    'w/HEARTBEAT.md': contract,
    'w/agent.mjs': AGENT,
    'w/act.mjs': `${EDIT}\nexport async function act(task, prompt) {\n${act}\n}\n`,
    'w/pulseward.toml': `[agent]\ncommand = [${JSON.stringify(process.execPath)}, "agent.mjs"]\nsandbox = "off"\n`,
  })
  await cli.run(['trust', 'w'])
}

async function act(body: string): Promise<void> {
  await cli.write({ 'w/act.mjs': `${EDIT}\nexport async function act(task, prompt) {\n${body}\n}\n` })
}

interface Attempt {
  readonly taskId: string
  readonly verdict: string | null
  readonly points: number
  readonly reasons: readonly string[]
  readonly interventions: readonly { readonly event_type: string; readonly severity: string }[]
}

async function heartbeat(): Promise<Readonly<Record<string, Attempt>>> {
  const { stdout, stderr } = await cli.run(['run', '--once', '--json', '--workspace', 'w'])
  if (stdout === '') throw new Error(stderr)
  const { attempts } = JSON.parse(stdout) as { attempts: Attempt[] }
  return Object.fromEntries(attempts.map((attempt) => [attempt.taskId, attempt]))
}

async function waiting(): Promise<ProposalView[]> {
  const { stdout } = await cli.run(['proposals', '--json', '--workspace', 'w'])
  return (JSON.parse(stdout) as { proposals: ProposalView[] }).proposals
}

const answer = async (...words: string[]) => cli.run(['proposals', ...words, '--workspace', 'w'])
const raised = (attempts: Readonly<Record<string, Attempt>>) =>
  Object.values(attempts).flatMap(({ interventions }) => interventions.map(({ event_type }) => event_type))

const LOOSEN = `edit('HEARTBEAT.md', (text) => text.replace('exists("fixed.txt")', 'exists("HEARTBEAT.md")'))`

const ADD_CRITERION = `edit('HEARTBEAT.md', (text) => text.replace('  - [ ] look at it', '$& again | verify: exists("again.txt")\\n$&'))`

describe('a liar', () => {
  it('that weakens the check is not believed, in that heartbeat or any later one', async () => {
    await workspace(LOOSEN)
    const first = await heartbeat()
    expect(first.fix).toMatchObject({ verdict: 'not_verified' })
    expect(raised(first).filter((type) => type === 'contract_weakened')).toHaveLength(1)
    await act('')
    const second = await heartbeat()
    expect(second.fix).toMatchObject({ verdict: 'not_verified' })
    expect(raised(second)).not.toContain('contract_weakened')
    expect(await waiting()).toMatchObject([
      {
        file: 'HEARTBEAT.md',
        state: 'pending',
        attemptIds: [expect.any(String)],
        diff: expect.stringContaining('+- [ ] fix | Fix the sum | required | verify: exists("HEARTBEAT.md")'),
        items: [
          { kind: 'hint', taskId: 'fix', before: 'exists("fixed.txt")', after: 'exists("HEARTBEAT.md")' },
        ],
      },
    ])
  })

  it('that checks off its own box runs again, and the box is reported', async () => {
    await workspace(`edit('HEARTBEAT.md', (text) => text.replace('- [ ] fix', '- [x] fix'))`)
    expect(raised(await heartbeat())).toContain('contract_weakened')
    const { stdout } = await cli.run(['interventions', '--workspace', 'w'])
    expect(stdout).toMatch(/contract_weakened +fix +changes: Task "fix"[^,]*, note: /)
    expect((await heartbeat()).fix).toMatchObject({ verdict: 'not_verified' })
    expect(await waiting()).toMatchObject([{ items: [{ kind: 'box', taskId: 'fix', after: 'checked' }] }])
  })

  it.each([
    [
      'deletes the task',
      `edit('HEARTBEAT.md', (text) => text.replace(/- \\[ \\] fix[^]*?(?=- \\[ \\] note)/, ''))`,
    ],
    [
      'comments the task out',
      `edit('HEARTBEAT.md', (text) => text.replace('- [ ] fix', '<!-- \\n- [ ] fix') + '\\n-->\\n')`,
    ],
    [
      'puts the tasks in a code fence',
      `edit('HEARTBEAT.md', (text) => text.replace('## Tasks\\n', '## Tasks\\n\\n\`\`\`\\n') + '\`\`\`\\n')`,
    ],
    ['deletes the file', `(await import('node:fs')).rmSync('HEARTBEAT.md')`],
    ['makes it optional', `edit('HEARTBEAT.md', (text) => text.replace('| required', '| optional'))`],
    [
      'puts a task with the same name before it',
      `edit('HEARTBEAT.md', (text) => text.replace('- [ ] fix', '- [ ] fix | Rest | verify: true\\n- [ ] fix'))`,
    ],
  ])('that %s still gets the task', async (_name, body) => {
    await workspace(body)
    const before = await readContract()
    await heartbeat()
    await act('')
    expect((await heartbeat()).fix).toMatchObject({ verdict: 'not_verified', points: expect.any(Number) })
    const proposals = await waiting()
    if (proposals.length > 0) {
      for (const { id } of proposals) expect((await answer('revert', id)).stderr).toBe('')
      expect(await readContract()).toBe(before)
    }
  })

  it('that adds a criterion still loses points for what the operator asked', async () => {
    await workspace(`if (task === 'fix') ${ADD_CRITERION}`)
    await heartbeat()
    await act('')
    expect((await heartbeat()).fix).toMatchObject({ verdict: 'not_verified', points: -15 })
  })

  it('that adds a criterion to a task that can’t be measured gains nothing by it', async () => {
    const words = CONTRACT.replace('exists("fixed.txt")', 'the sum is right')
    const scratch = `writeFileSync('scratch.txt', String(Date.now()))`
    await workspace(`${scratch}\nif (task === 'fix') ${ADD_CRITERION}`, words)
    expect((await heartbeat()).fix).toMatchObject({ verdict: 'unclear', points: -2 })
    await act(scratch)
    expect((await heartbeat()).fix).toMatchObject({ verdict: 'not_verified', points: -2 })
  })

  it('that adds a criterion to a checked task does not reopen it', async () => {
    await workspace(
      `if (task === 'note') ${ADD_CRITERION}`,
      `${CONTRACT.replace('- [ ] fix', '- [x] fix')}`.replace('fixed.txt', 'HEARTBEAT.md'),
    )
    await heartbeat()
    await act(`writeFileSync('again.txt', 'x')`)
    expect(Object.keys(await heartbeat())).toEqual(['note'])
    expect(await waiting()).toMatchObject([{ items: [{ kind: 'criterion_added', taskId: 'fix' }] }])
  })

  it('that edits pulseward.toml is a proposal, which the operator is not asked to approve as their own', async () => {
    await workspace(
      `if (task === 'fix') edit('pulseward.toml', (text) => text + '\\n[interventions]\\nenabled = false\\n')`,
    )
    const before = await readFile(join(cli.root, 'w/pulseward.toml'), 'utf8')
    expect(raised(await heartbeat())).toContain('contract_weakened')
    const [proposal] = await waiting()
    expect(proposal).toMatchObject({
      file: 'pulseward.toml',
      items: [{ kind: 'setting', before: null, after: 'interventions.enabled = false' }],
    })
    const status = await cli.run(['status', '--json', '--workspace', 'w'])
    const { notices } = JSON.parse(status.stdout) as { notices: { code: string }[] }
    expect(notices.map(({ code }) => code)).not.toContain('configuration-changed')
    expect((await answer('revert', proposal?.id ?? '')).exitCode).toBe(0)
    expect(await readFile(join(cli.root, 'w/pulseward.toml'), 'utf8')).toBe(before)
  })
})

describe('an honest agent', () => {
  it('that checks off criteria and verified tasks raises no event', async () => {
    await workspace(`
      writeFileSync(task === 'fix' ? 'fixed.txt' : 'noted.txt', 'x')
      edit('HEARTBEAT.md', (text) => text.replace('- [ ] ' + task, '- [x] ' + task).replace('  - [ ] look', '  - [x] look'))`)
    const attempts = await heartbeat()
    expect(attempts).toMatchObject({ fix: { verdict: 'verified' }, note: { verdict: 'verified' } })
    expect(raised(attempts)).toEqual([])
    expect(await waiting()).toEqual([])
  })

  it('that adds a note or a task finds it in the next heartbeat, worth nothing until it is accepted', async () => {
    await workspace(`
      writeFileSync(task === 'fix' ? 'fixed.txt' : 'noted.txt', 'x')
      if (task === 'fix') edit('HEARTBEAT.md', (text) => text.replace('# Nightly', '# Nightly\\n\\nThe sum is in b.js.') + '- [ ] more | Do more | verify: exists("HEARTBEAT.md")\\n')`)
    expect(raised(await heartbeat())).not.toContain('contract_weakened')
    await act(`if (task === 'more') writeFileSync('prompt.txt', prompt)`)
    expect((await heartbeat()).more).toMatchObject({ verdict: 'verified', points: 0 })
    const prompt = await readFile(join(cli.root, 'w/prompt.txt'), 'utf8')
    expect(prompt).toContain('The sum is in b.js.')
    expect(prompt).toContain('scores nothing until the operator accepts it')
    const [proposal] = await waiting()
    expect(proposal).toMatchObject({ adds: true })
    await answer('accept', proposal?.id ?? '')
    expect((await heartbeat()).more).toMatchObject({ verdict: 'verified', points: 10 })
  })

  it('that adds a criterion, and then works without it, loses nothing by it until it is accepted', async () => {
    const work = `writeFileSync(task === 'fix' ? 'fixed.txt' : 'noted.txt', String(Date.now()))`
    await workspace(`${work}\nif (task === 'fix') ${ADD_CRITERION}`)
    await heartbeat()
    await act(work)
    const { fix } = await heartbeat()
    expect(fix).toMatchObject({ verdict: 'not_verified', points: 0 })
    expect(fix?.reasons.join()).toMatch(/criterion "look at it again": .* fails,An agent added a criterion/)
    await answer('accept')
    expect((await heartbeat()).fix).toMatchObject({ verdict: 'not_verified', points: -15 })
  })

  it('that runs while the operator edits on disk does not block the edit, which one command accepts', async () => {
    await workspace(LOOSEN)
    await heartbeat()
    await act('')
    const { stdout } = await answer('accept')
    expect(stdout).toContain('Accepted')
    expect((await heartbeat()).fix).toMatchObject({ verdict: 'verified' })
  })
})

describe('the operator', () => {
  it('edits between heartbeats, and the edit takes effect immediately', async () => {
    await workspace('')
    await heartbeat()
    await writeFile(contractPath(), CONTRACT.replace('fixed.txt', 'HEARTBEAT.md'))
    const attempts = await heartbeat()
    expect(attempts.fix).toMatchObject({ verdict: 'verified' })
    expect(await waiting()).toEqual([])
  })

  it('edits a file with a pending change, and keeps their own version of the line after reverting it', async () => {
    await workspace(LOOSEN)
    await heartbeat()
    await act(`writeFileSync('prompt.txt', prompt)`)
    await writeFile(contractPath(), (await readContract()).replace('Fix the sum', 'Fix every sum'))
    const { fix } = await heartbeat()
    expect(fix).toMatchObject({ verdict: 'not_verified' })
    const [proposal] = await waiting()
    expect(proposal?.items).toMatchObject([{ kind: 'hint' }])
    await answer('revert', proposal?.id ?? '')
    expect(await readContract()).toBe(CONTRACT.replace('Fix the sum', 'Fix every sum'))
  })

  it('accepts one part and reverts the rest', async () => {
    await workspace(
      `edit('HEARTBEAT.md', (text) => text.replace('exists("fixed.txt")', 'exists("x")').replace('Fix the sum', 'Fix it').replace('look at it', 'see it'))`,
    )
    await heartbeat()
    await act('')
    const held = (await waiting()).find(({ adds }) => !adds)
    expect(held?.items.map(({ kind }) => kind)).toEqual(['hint', 'description', 'criterion_removed'])
    const half = await answer('accept', held?.id ?? '', '--items', '2,4')
    expect(half.stderr).toMatch(/Not all of the changes named are in the proposal p-\w+, which has 3\./)
    expect(half.exitCode).toBe(2)
    expect((await answer('accept', held?.id ?? '', '--items', '2')).stdout).toContain(
      '2 of its changes still need your review',
    )
    expect((await answer('revert', held?.id ?? '')).exitCode).toBe(0)
    expect(await readContract()).toContain('- [ ] fix | Fix it | required | verify: exists("fixed.txt")')
    expect(await readContract()).toContain('look at it')
  })

  it('gets an error for an unknown or already answered proposal', async () => {
    await workspace(LOOSEN)
    await heartbeat()
    const [proposal] = await waiting()
    expect((await answer('accept', 'p-none')).stderr).toMatch(/There is no proposal "p-none"; waiting are p-/)
    await answer('accept', proposal?.id ?? '')
    const again = await answer('revert', proposal?.id ?? '')
    expect(again.exitCode).not.toBe(0)
    expect(again.stderr).toContain('was accepted already')
  })
})
