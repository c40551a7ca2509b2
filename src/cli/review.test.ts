import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ReviewAnswer } from '../api/schemas/review.ts'
import type { RunReport } from '../core/read-model/attempt.ts'
import { type CliFixture, createCliFixture } from './testing/cli-fixture.ts'

/* Held work from the operator's side: what is listed, what an answer pays, and what it does to files. */

let cli: CliFixture
let attemptId: string

const TEST = `import assert from 'node:assert'
import { test } from 'node:test'
test('is three', () => assert.equal(1, 3))
`

beforeEach(async () => {
  cli = await createCliFixture()
  await cli.write({
    'p/HEARTBEAT.md': '## Tasks\n- [ ] fix | Fix it | required | verify: succeeds("node --test")\n',
    'p/pulseward.toml':
      '[agent]\ncommand = ["sh", "../agent.sh"]\n[verification]\ncommands = ["node --test"]\n',
    'p/one.test.mjs': TEST,
    'agent.sh': `sed -i 's/1, 3/3, 3/' one.test.mjs; echo 'EXIT_SIGNAL: true'\n`,
  })
  const { attempts } = (await json('run', '--once', '--trust')) as RunReport
  attemptId = attempts[0]?.attemptId ?? ''
  expect(attempts[0]?.held).toMatchObject({ because: 'clean-room', files: ['one.test.mjs'] })
})
afterEach(() => cli.close())

async function json(...words: string[]): Promise<unknown> {
  const { stdout } = await cli.run([...words, '--json', '--workspace', 'p'])
  return JSON.parse(stdout)
}

const answer = (...words: string[]) => json('review', ...words) as Promise<ReviewAnswer>
const score = async () =>
  (await json('score')) as {
    score: number
    held: number
    verified: number
    failed: number
    contradictions: number
  }
const file = () => readFile(join(cli.root, 'p/one.test.mjs'), 'utf8')

describe('held work', () => {
  test('is listed, scores nothing, and its task waits', async () => {
    expect(await json('review')).toMatchObject({
      held: [{ attemptId, taskId: 'fix', because: 'clean-room', files: ['one.test.mjs'] }],
    })
    expect(await score()).toMatchObject({ score: 0, held: 1, verified: 0, failed: 0 })
    expect(await json('status')).toMatchObject({
      needs: [
        { kind: 'contradiction', count: 1, id: expect.stringMatching(/^p-/) },
        { kind: 'held', id: attemptId },
      ],
    })
    expect(await json('run', '--once')).toMatchObject({ attempts: [] })
  })

  test('is paid if accepted, and its files become the baseline', async () => {
    expect(await answer('accept', attemptId)).toMatchObject({ answered: [attemptId], delta: 10 })
    expect(await score()).toMatchObject({ score: 10, held: 0, verified: 1 })
    await cli.write({ 'agent.sh': `touch x; echo 'EXIT_SIGNAL: true'\n` })
    const { attempts } = (await json('run', '--once')) as RunReport
    expect(attempts[0]).toMatchObject({ verdict: 'verified', held: null })
  })

  test('lets the task change these files permanently if accepted always', async () => {
    expect(await answer('accept', attemptId, '--always')).toMatchObject({ mayChange: ['one.test.mjs'] })
    expect(await readFile(join(cli.root, 'p/HEARTBEAT.md'), 'utf8')).toContain('| may_change: one.test.mjs')
    await cli.write({ 'agent.sh': `sed -i 's/3, 3/4, 4/' one.test.mjs; echo 'EXIT_SIGNAL: true'\n` })
    const { attempts } = (await json('run', '--once')) as RunReport
    expect(attempts[0]).toMatchObject({ verdict: 'verified', held: null })
  })

  test('no longer allows the files of an undone "accept always"', async () => {
    const contract = () => readFile(join(cli.root, 'p/HEARTBEAT.md'), 'utf8')
    const before = await contract()
    await answer('accept', attemptId, '--always')
    expect(await contract()).not.toBe(before)
    expect(await answer('undo', attemptId)).toMatchObject({ answered: [attemptId], mayChange: [] })
    expect(await contract()).toBe(before)
    expect(await json('review')).toMatchObject({ held: [{ attemptId }] })
  })

  test('counts as not verified if refused, and as a contradiction if rigged', async () => {
    expect(await answer('refuse', attemptId, '--reason', 'no')).toMatchObject({ delta: -15 })
    expect(await answer('undo', attemptId)).toMatchObject({ delta: 15 })
    expect(await score()).toMatchObject({ score: 0, held: 1, failed: 0 })
    expect(await answer('refuse', attemptId, '--rigged')).toMatchObject({ delta: -45 })
    expect(await score()).toMatchObject({ score: -45, failed: 1, contradictions: 1 })
  })

  test('gets its files restored if refused with --put-back, until that is undone', async () => {
    expect(await answer('refuse', attemptId, '--put-back')).toMatchObject({
      putBack: ['one.test.mjs'],
      failed: [],
    })
    expect(await file()).toBe(TEST)
    await answer('undo', attemptId)
    expect(await file()).toContain('3, 3')
    expect(await json('review')).toMatchObject({ held: [{ attemptId }] })
  })

  test('can be answered only once, and only by a known id', async () => {
    await answer('accept', attemptId)
    const again = await cli.run(['review', 'refuse', attemptId, '--workspace', 'p'])
    expect(again).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(attemptId) })
    expect((await cli.run(['review', 'accept', 'nothing', '--workspace', 'p'])).stderr).toContain('nothing')
    expect((await cli.run(['review', 'accept', '--workspace', 'p'])).exitCode).toBe(2)
  })
})

test('a script that the operator edited needs approval again, and counts once it is approved', async () => {
  await answer('accept', attemptId)
  await cli.write({
    'p/pulseward.toml':
      '[agent]\ncommand = ["sh", "../agent.sh"]\n[verification]\ncommands = ["sh check.sh"]\n',
    'p/HEARTBEAT.md': '## Tasks\n- [ ] other | Do it | required | verify: succeeds("sh check.sh")\n',
    'p/check.sh': 'test -f made\n',
    'agent.sh': `touch made; echo 'EXIT_SIGNAL: true'\n`,
  })
  expect(((await json('run', '--once', '--trust')) as RunReport).attempts[0]).toMatchObject({
    verdict: 'verified',
  })
  await cli.write({ 'p/check.sh': 'test -f other\n' })
  expect(((await json('run', '--once')) as RunReport).attempts[0]).toMatchObject({ verdict: 'verified' })
  expect(JSON.stringify(await json('status'))).toContain(
    'Check files were changed while no agent was running: check.sh',
  )
  const { stdout } = await cli.run(['trust', 'p'])
  expect(stdout).toContain('check.sh')
  expect(((await json('run', '--once')) as RunReport).attempts[0]).toMatchObject({ verdict: 'not_verified' })
})
