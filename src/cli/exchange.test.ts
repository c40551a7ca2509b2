import { readFile, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type CliFixture, createCliFixture } from './testing/cli-fixture.ts'

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
})
afterEach(() => cli.close())

const day = (date: string, score: number) => ({
  date,
  score,
  peakScore: score,
  lowestScore: 0,
  verifiedCount: 4,
  failedCount: 1,
  targetReached: true,
})

const argentos = {
  'old/HEARTBEAT.md': '## Tasks\n- [ ] mail | Count the mail | required | verify: task_completed\n',
  'old/heartbeat-score.json': JSON.stringify({
    today: day('2025-01-03', 90),
    history: [day('2025-01-02', 80), day('2025-01-01', 70)],
    lifetime: { targetFloor: 85, totalVerified: 12 },
  }),
  'old/heartbeat-progress.json': JSON.stringify({ cycleCount: 9, tasks: {} }),
}

test("imports ArgentOS's files, and reports what was left out", async () => {
  await cli.write(argentos)
  const { stdout, exitCode } = await cli.run(['import', 'old', '--json'])
  expect(exitCode).toBe(0)
  const report = JSON.parse(stdout)
  expect(report.taken).toEqual([
    'HEARTBEAT.md: it stays as it is.',
    'heartbeat-score.json: 3 days, its lifetime totals and the floor of the target.',
  ])
  expect(report.left).toEqual(['heartbeat-progress.json: task states: each task is checked again.'])
  const history = JSON.parse((await cli.run(['history', '--json', '--workspace', 'old'])).stdout)
  expect(history.targetFloor).toBe(85)
  expect(history.history.map(({ date, score }: { date: string; score: number }) => [date, score])).toEqual([
    ['2025-01-01', 70],
    ['2025-01-02', 80],
    ['2025-01-03', 90],
  ])
})

test('does not import a history a second time', async () => {
  await cli.write(argentos)
  await cli.run(['import', 'old'])
  const report = JSON.parse((await cli.run(['import', 'old', '--json'])).stdout)
  expect(report.left.join()).toContain('already has a history')
})

test("converts ralph's stories to a contract, and never overwrites one", async () => {
  const prd = JSON.stringify({
    userStories: [{ id: 'US-1', title: 'Do it', acceptanceCriteria: ['It works'], passes: true }],
  })
  await cli.write({
    'loop/prd.json': prd,
    'loop/progress.txt': 'diary',
    'mine/HEARTBEAT.md': '## Tasks\n- [ ] a | A\n',
  })
  const refused = JSON.parse((await cli.run(['import', 'loop', '--into', 'mine', '--json'])).stdout)
  expect(refused.taken).toEqual([])
  expect(await readFile(join(cli.root, 'mine/HEARTBEAT.md'), 'utf8')).toBe('## Tasks\n- [ ] a | A\n')
  const { stdout } = await cli.run(['import', 'loop', '--json'])
  expect(JSON.parse(stdout).taken).toEqual(['prd.json: 1 task, without checks; write how each is checked.'])
  expect(await readFile(join(cli.root, 'loop/HEARTBEAT.md'), 'utf8')).toContain(
    '- [ ] us-1 | Do it\n  - [ ] It works',
  )
})

test('rejects a folder with nothing to import', async () => {
  await cli.write({ 'empty/readme.txt': 'nothing' })
  const { exitCode, stderr } = await cli.run(['import', 'empty'])
  expect(exitCode).toBe(2)
  expect(stderr).toContain('has nothing of ArgentOS')
})

test('exports what can be imported elsewhere', async () => {
  await cli.write(argentos)
  await cli.run(['import', 'old'])
  const { exitCode, stdout } = await cli.run(['export', 'out', '--workspace', 'old', '--json'])
  expect(exitCode).toBe(0)
  expect(JSON.parse(stdout).files).toEqual(
    expect.arrayContaining(['HEARTBEAT.md', 'heartbeat-score.json', 'events.jsonl']),
  )
  const score = JSON.parse(await readFile(join(cli.root, 'out/heartbeat-score.json'), 'utf8'))
  expect(score.lifetime.targetFloor).toBe(85)
  const again = await cli.run(['export', 'out', '--workspace', 'old'])
  expect(again.stderr).toContain('is not empty')
  const report = JSON.parse((await cli.run(['import', 'out', '--json'])).stdout)
  expect(report.taken.join()).toContain('3 days')
})

test('exports neither a secret nor the target of a contract that became a link', async () => {
  const token = `ghp_${'a1B2'.repeat(9)}`
  await cli.write({ ...argentos, 'home/key.md': 'private\n' })
  await cli.run(['import', 'old'])
  await cli.run(['note', `use ${token}`, '--workspace', 'old'])
  await rm(join(cli.root, 'old/HEARTBEAT.md'))
  await symlink(join(cli.root, 'home/key.md'), join(cli.root, 'old/HEARTBEAT.md'))
  const { stdout } = await cli.run(['export', 'out', '--workspace', 'old', '--json'])
  expect(JSON.parse(stdout).files).not.toContain('HEARTBEAT.md')
  const record = await readFile(join(cli.root, 'out/events.jsonl'), 'utf8')
  expect(record).toContain('use [GitHub token hidden]')
  for (const line of record.trimEnd().split('\n')) expect(() => JSON.parse(line)).not.toThrow()
})

test('ArgentOS: finds the score in memory, names today, and imports the totals', async () => {
  const today = new Intl.DateTimeFormat('en-CA', {
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  })
  const date = today.format(new Date())
  const score = {
    today: day(date, 20),
    history: [day('2025-01-03', 90), day('2025-01-02', 80), day('2025-01-01', 70)],
    lifetime: { targetFloor: 85, totalVerified: 120, totalFailed: 40, daysTracked: 12 },
  }
  await cli.write({
    'argent/HEARTBEAT.md': '## Tasks\n- [ ] mail | Count the mail\n',
    'argent/memory/heartbeat-score.json': JSON.stringify(score),
  })
  const report = JSON.parse((await cli.run(['import', 'argent/memory', '--json'])).stdout)
  expect(report.taken).toContain(
    'memory/heartbeat-score.json: 3 days, its lifetime totals and the floor of the target.',
  )
  expect(report.left.join('\n')).toContain(`the 20 points of ${date}: that day is not over`)
  const { lifetime } = JSON.parse((await cli.run(['score', '--json', '--workspace', 'argent'])).stdout)
  expect(lifetime).toMatchObject({ verified: 120, failed: 40, daysTracked: 12, targetFloor: 85 })
})

test("imports ralph-gold's tasks, and its gates and runner as a draft", async () => {
  await cli.write({
    'gold/.ralph/PRD.md':
      '# Feature\n\n## Tasks\n\n- [ ] Add login\n  - Users can log in\n- [-] Add export\n',
    'gold/.ralph/ralph.toml': '[runners.claude]\nargv = ["claude", "-p"]\n[gates]\ncommands = ["npm test"]\n',
  })
  const report = JSON.parse((await cli.run(['import', 'gold', '--json'])).stdout)
  expect(report.taken).toEqual([
    '.ralph/PRD.md: 2 tasks, without checks; write how each is checked.',
    '.ralph/ralph.toml: the runner claude and 1 gate, as a draft: read pulseward.toml, then `pulseward trust`.',
  ])
  expect(await readFile(join(cli.root, 'gold/pulseward.toml'), 'utf8')).toContain(
    'commands = [\n  ["npm", "test"],',
  )
  expect(await readFile(join(cli.root, 'gold/HEARTBEAT.md'), 'utf8')).toContain(
    '- [ ] add_login | Add login\n  - [ ] Users can log in\n- [ ] add_export | Add export | when: false',
  )
})

test("imports ralph-gold's tasks.yaml", async () => {
  await cli.write({
    'gold/tasks.yaml':
      'version: 1\ntasks:\n  - id: 1\n    title: Log in\n    acceptance:\n      - it works\n',
  })
  const report = JSON.parse((await cli.run(['import', 'gold', '--json'])).stdout)
  expect(report.taken).toEqual(['tasks.yaml: 1 task, without checks; write how each is checked.'])
})
