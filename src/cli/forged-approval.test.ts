import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { thumb } from '../main/ledger/testing/sample-events.ts'
import { type CliFixture, createCliFixture, firstLine } from './testing/cli-fixture.ts'

/*
 * An agent without a sandbox approves its own configuration behind Pulseward's back, in the copy, in the record or in both; and honest
 * operators whose approvals look similar.
 */

const HONEST = '[agent]\ncommand = ["true"]\nsandbox = "off"\n'
const EVIL = '[agent]\ncommand = ["sh", "-c", "touch evil"]\nsandbox = "off"\n'

let cli: CliFixture

beforeEach(async () => {
  cli = await createCliFixture()
  vi.stubEnv('XDG_STATE_HOME', join(cli.root, 'state'))
  await cli.write({
    'w/HEARTBEAT.md': '## Tasks\n- [ ] fix | Fix it | required | verify: exists("fixed.txt")\n',
    'w/pulseward.toml': HONEST,
  })
  await cli.run(['run', '--once', '--trust', '--workspace', 'w'])
})
afterEach(() => cli.close())

const dataOf = (): string => {
  const [id = ''] = readdirSync(join(cli.dataDirectory, 'workspaces'))
  return join(cli.dataDirectory, 'workspaces', id)
}
const approvedCopy = (): string => join(dataOf(), 'approved-config.toml')
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')
const sealFile = (): string => {
  const seals = join(cli.root, 'state/pulseward/seals')
  return join(seals, readdirSync(seals).find((name) => name.endsWith('.json')) ?? '')
}

/** Records an event with valid hashes, as Pulseward would. */
function forge(body: Readonly<Record<string, unknown>>): void {
  const folder = join(dataOf(), 'ledger')
  const path = join(folder, readdirSync(folder).find((name) => name.endsWith('.jsonl')) ?? '')
  const last = readFileSync(path, 'utf8').trimEnd().split('\n').at(-1) ?? ''
  const { seq, at, day } = JSON.parse(last)
  const prev = createHash('sha256').update(last).digest('hex')
  appendFileSync(path, `${JSON.stringify({ seq: seq + 1, at, day, prev, ...body })}\n`)
}

async function writeEvilCopies(): Promise<void> {
  await cli.write({ 'w/pulseward.toml': EVIL })
  writeFileSync(approvedCopy(), EVIL)
}

async function forgeApproval(): Promise<void> {
  await writeEvilCopies()
  forge({ type: 'configuration-approved', hash: hashOf(EVIL) })
}

/** Runs a heartbeat and returns whether it used the agent of the forged configuration. */
async function isInForce(): Promise<boolean> {
  rmSync(join(cli.root, 'w/evil'), { force: true })
  await cli.run(['run', '--once', '--workspace', 'w'])
  return existsSync(join(cli.root, 'w/evil'))
}

async function doctor(...args: string[]): Promise<string> {
  const { stdout } = await cli.run(['doctor', '--json', ...args])
  const { checks } = JSON.parse(stdout) as { checks: { name: string; message: string }[] }
  return checks
    .filter(({ name }) => /^workspace .*(?:ledger|trust)$/.test(name))
    .map(({ message }) => message)
    .join('\n')
}

async function needs(): Promise<string> {
  const { stdout } = await cli.run(['status', '--json', '--workspace', 'w'])
  return JSON.stringify((JSON.parse(stdout) as { needs: unknown }).needs)
}

const accept = () => doctor('--accept', join(cli.root, 'w'))

/** Kills a host that has recorded something: its ledger was not closed, and events after its last seal are not suspicious by themselves. */
async function killHost(): Promise<void> {
  const host = cli.start(['serve', '--port', '0'], { stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = once(host, 'exit')
  await firstLine(host)
  expect((await cli.run(['feedback', 'up', '--workspace', 'w'])).exitCode).toBe(0)
  host.kill('SIGKILL')
  await ended
}

const NOT_OURS = 'does not come from Pulseward'

describe('an agent that approves its own configuration behind Pulseward’s back', () => {
  it('in record and copy has nothing run, before the operator has answered and after', async () => {
    await forgeApproval()
    const found = await doctor()
    for (const words of ['that Pulseward has not recorded', NOT_OURS, 'is not what you approved'])
      expect(found).toContain(words)
    expect(await isInForce()).toBe(false)
    expect(await needs()).toContain(NOT_OURS)
    await accept()
    expect(await isInForce()).toBe(false)
    expect(await needs(), 'what was answered is not asked again').not.toContain('is incomplete')
    expect(await needs()).toContain('approve it again')

    // An explicit approval takes effect at this start and at later ones.
    expect((await cli.run(['trust', 'w'])).exitCode).toBe(0)
    expect(await isInForce()).toBe(true)
    expect(await doctor()).toContain('pulseward.toml is approved')
    expect(await needs()).not.toContain('is incomplete')
  })

  it('by an answer to an existing proposal gets nothing run either', async () => {
    await writeEvilCopies()
    forge({
      type: 'proposal-made',
      id: 'p-1',
      file: 'pulseward.toml',
      attemptIds: [],
      during: 'an agent ran',
      cycle: null,
      adds: false,
      asksLess: false,
      items: [],
      diff: '',
    })
    const answer = { id: 'p-1', answer: 'accepted', items: [], left: [], base: hashOf(EVIL), seen: null }
    forge({ type: 'proposal-answered', ...answer })
    expect(await isInForce()).toBe(false)
    expect(await needs()).toContain(NOT_OURS)
  })

  it('after killing the host gets nothing run, and is reported', async () => {
    await killHost()
    await forgeApproval()
    expect(await doctor()).toContain(NOT_OURS)
    expect(await isInForce()).toBe(false)
    expect(await needs()).toContain(NOT_OURS)
  })

  it('in the record alone leaves the approved copy in effect', async () => {
    await cli.write({ 'w/pulseward.toml': EVIL })
    forge({ type: 'configuration-approved', hash: hashOf(EVIL) })
    expect(await doctor()).toContain('the approved copy is used')
    expect(await isInForce()).toBe(false)
  })

  it('by rolling the record back to when it was approved needs another approval', async () => {
    const before = join(cli.root, 'before')
    await cli.write({ 'w/pulseward.toml': EVIL })
    await cli.run(['trust', 'w'])
    cpSync(dataOf(), before, { recursive: true })
    await cli.write({ 'w/pulseward.toml': HONEST })
    await cli.run(['trust', 'w'])
    const place = dataOf()
    rmSync(place, { recursive: true })
    cpSync(before, place, { recursive: true })
    await cli.write({ 'w/pulseward.toml': EVIL })
    expect(await isInForce()).toBe(false)
    expect(await needs()).toContain('are missing')
  })

  it.each([
    [
      'a link to the file in the workspace',
      () => symlinkSync(join(cli.root, 'w/pulseward.toml'), approvedCopy()),
    ],
    ['nothing', () => undefined],
    ['a folder', () => mkdirSync(approvedCopy())],
    ['invalid TOML', () => writeFileSync(approvedCopy(), '[agent')],
  ])('runs nothing after the approved copy was replaced with %s', async (_, put) => {
    await cli.write({ 'w/pulseward.toml': EVIL })
    rmSync(approvedCopy())
    put()
    expect(await isInForce()).toBe(false)
  })

  it('by restoring an earlier approved text in both places has to be approved again', async () => {
    await cli.write({ 'w/pulseward.toml': `${HONEST}# stricter\n` })
    await cli.run(['trust', 'w'])
    writeFileSync(approvedCopy(), HONEST)
    writeFileSync(join(cli.root, 'w/pulseward.toml'), HONEST)
    expect(await doctor()).toContain('is not what you approved')
  })
})

describe('an agent that killed the host', () => {
  it('and gives itself a thumbs-up is reported until the operator has answered', async () => {
    await killHost()
    forge(thumb)
    const words = '(feedback-given) was not announced in its seal'
    expect(await doctor()).toContain(words)
    expect(await needs()).toContain(words)
    await accept()
    expect(await needs()).not.toContain('is incomplete')
  })

  it('and does nothing else looks like any other kill, so no approval is needed', async () => {
    await killHost()
    expect(await doctor()).not.toContain('announced')
    expect(await needs()).not.toContain('is incomplete')
  })
})

describe('an operator', () => {
  const approve = async (): Promise<void> => {
    await cli.write({ 'w/pulseward.toml': EVIL })
    expect((await cli.run(['trust', 'w'])).exitCode).toBe(0)
  }

  it('who approves while no host runs is believed by the next one', async () => {
    await cli.write({ 'w/pulseward.toml': EVIL })
    const [exitCode] = await once(cli.start(['trust', 'w'], { stdio: 'ignore' }), 'exit')
    expect(exitCode).toBe(0)
    expect(await doctor()).toContain('pulseward.toml is approved')
    expect(await isInForce()).toBe(true)
    expect(await needs()).not.toContain('is incomplete')
  })

  it('whose host is killed right after the approval is believed', async () => {
    const host = cli.start(['serve', '--port', '0'], { stdio: ['ignore', 'pipe', 'ignore'] })
    const ended = once(host, 'exit')
    await firstLine(host)
    await approve()
    host.kill('SIGKILL')
    await ended
    expect(await doctor()).toContain('pulseward.toml is approved')
    expect(await isInForce()).toBe(true)
    expect(await needs()).not.toContain('is incomplete')
  })

  it('who approves while the record is damaged is believed at later starts too', async () => {
    forge(thumb)
    await approve()
    expect(await isInForce()).toBe(true)
    expect(await needs(), 'the rest waits for an answer').toContain('is incomplete')
    await accept()
    expect(await isInForce()).toBe(true)
    expect(await needs()).not.toContain('is incomplete')
  })

  it('does not have to approve again if the seal is lost, or is from a version without approvals in it', async () => {
    await approve()
    const { approved, ...seal } = JSON.parse(readFileSync(sealFile(), 'utf8'))
    expect(approved).toEqual([hashOf(EVIL)])
    writeFileSync(sealFile(), JSON.stringify(seal))
    expect(await isInForce()).toBe(true)
    expect(JSON.parse(readFileSync(sealFile(), 'utf8')).approved).toEqual([hashOf(EVIL)])
    rmSync(sealFile())
    expect(await isInForce()).toBe(true)
    expect(await needs()).not.toContain('is incomplete')
  })

  it('who restores a backup gets the approval that was valid when it was made', async () => {
    await approve()
    await cli.run(['backup'])
    await cli.write({ 'w/pulseward.toml': HONEST })
    await cli.run(['trust', 'w'])
    const { stdout } = await cli.run(['backup', 'list', '--json'])
    await cli.run(['backup', 'restore', JSON.parse(stdout).backups[0].name])
    await cli.write({ 'w/pulseward.toml': EVIL })
    expect(await isInForce()).toBe(true)
    expect(await needs()).not.toContain('is incomplete')
  })
})
