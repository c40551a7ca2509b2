import { once } from 'node:events'
import { mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fold } from '../../../core/record/fold.ts'
import { verifyLedger } from '../../ledger/verify.ts'
import { FAULTS, type Fault, type FaultShim, openFaultShim } from './fault-shim.ts'
import { openSampleLedger } from './sample-ledger.ts'
import { type Answer, startWriter, type Writer } from './writer.ts'

/*
 * A disk that fails at every place that Pulseward writes to: acknowledged data is there, refused data is not, the failure is reported, and
 * Pulseward continues once the disk works again.
 */

/** The place that is written to, and the action that does it. */
const PLACES = [
  ['the ledger', 'append', '/ledger/'],
  ['the segment alone', 'append', '.jsonl'],
  ['its snapshot', 'append', 'snapshot.json'],
  ['its seal', 'append', '/seals/'],
  ['its documents', 'append', 'heartbeat-'],
  ['the documents of interventions', 'append', '/interventions'],
  ['packed segments', 'append', '.jsonl.gz'],
  ['the settings', 'settings', 'settings.json'],
  ['the channels', 'channels', 'channels.json'],
  ['receipts', 'receipt', 'receipts.jsonl'],
  ['an approval', 'approval', 'approved-config.toml'],
  ['when agents ran', 'agent-times', '/custody/agents.json'],
  ['whose attempt it is', 'base-files', '/custody/'],
  ['kept contents', 'content', '/contents/'],
  ['kept texts', 'text', '/texts/'],
  ['the list of workspaces', 'workspace', '/workspaces/folder-'],
  ['an attempt’s output', 'attempt-log', '/attempts/'],
  ['the log', 'log', 'pulseward.log'],
] as const

const WORDS: Readonly<Record<Fault, RegExp>> = {
  ENOSPC: /ENOSPC|disk is full/,
  EDQUOT: /EDQUOT|quota/,
  EIO: /EIO|input\/output/,
  EROFS: /EROFS|read-only/,
  EMFILE: /EMFILE|too many open files/,
  SHORT: /never/,
  TORN: /ENOSPC|disk is full/,
}

let root: string
let shim: FaultShim | string
let writer: Writer
const acknowledged: string[] = []
const refused: string[] = []

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'pulseward-faults-root-')))
  shim = openFaultShim(root)
  if (typeof shim !== 'string') writer = await startWriter(root, shim)
})
afterAll(async () => {
  if (typeof shim !== 'string') {
    writer.child.stdin?.end()
    if (writer.child.exitCode === null) await once(writer.child, 'exit')
    shim.remove()
  }
  await rm(root, { recursive: true, force: true })
})

async function append(): Promise<Answer> {
  const answer = await writer.ask('append')
  if (answer.said !== undefined) acknowledged.push(...answer.said)
  else refused.push(`${answer.id}-a`, `${answer.id}-b`)
  return answer
}

async function forgetWorkspace(): Promise<void> {
  const home = join(root, 'data', 'workspaces')
  // A neighbor may be recording its own end there at this moment.
  for (const name of await readdir(home))
    if (name.startsWith('folder-')) await rm(join(home, name), { recursive: true, maxRetries: 5 })
}

/** Expects every acknowledged event, and no refused one, in a ledger without problems. */
async function expectWholeRecord(): Promise<void> {
  const told: string[] = []
  const ledger = await openSampleLedger(root, (message) => void told.push(message))
  const events = await ledger.read(1, Number.MAX_SAFE_INTEGER)
  const ids = events.flatMap((event) =>
    event.type === 'diagnostic-raised'
      ? [`${event.seq} ${event.message}`]
      : event.type === 'attempt-finished'
        ? [`${event.seq} ${event.result.attemptId}`]
        : [],
  )
  expect({ problems: ledger.problems, broken: ledger.broken() }).toEqual({ problems: [], broken: [] })
  expect(acknowledged.filter((id) => !ids.includes(id))).toEqual([])
  expect(ids.filter((id) => refused.includes(id.split(' ')[1] ?? ''))).toEqual([])
  expect(ledger.state).toEqual(fold(events))
  const directory = join(root, 'data', 'workspaces', 'one')
  expect(await verifyLedger(directory)).toEqual({ events: events.length, problems: [] })
  await ledger.close()
  const score = JSON.parse(await readFile(join(directory, 'heartbeat-score.json'), 'utf8'))
  expect(score).toEqual(JSON.parse(JSON.stringify(ledger.state.score)))
}

describe.each(FAULTS)('%s', (fault) => {
  test.for(PLACES)(
    'in %s loses nothing, is reported, and works normally once it ends',
    async ([_place, action, part], context) => {
      if (typeof shim === 'string') return context.skip(shim)
      const before = writer.logged().length
      if (action === 'workspace') await forgetWorkspace()
      shim.inject(fault, part)
      const answers: Answer[] = []
      // Often enough to start a new segment, which has extra steps at its beginning.
      for (let times = 0; times < (action === 'append' ? 4 : 1); times += 1)
        answers.push(action === 'append' ? await append() : await writer.ask(action))
      if (action === 'append') answers.push(await writer.ask('reopen'))
      const met = shim.end()
      expect(met.length, 'the fault was met').toBeGreaterThan(0)
      const errors = answers.flatMap(({ error }) => error ?? [])
      const told = () => [...errors, writer.logged().slice(before)].join('\n')
      if (fault === 'SHORT') expect(errors).toEqual([])
      else
        await expect.poll(told).toMatch(action === 'log' ? new RegExp(`"${answers[0]?.id}"`) : WORDS[fault])
      expect(await append(), 'it goes on').toMatchObject({ said: [expect.anything(), expect.anything()] })
      if (action !== 'append') expect((await writer.ask(action)).error, 'it goes on').toBeUndefined()
    },
  )
})

test('after all faults, the record is complete, and no file was mistaken for a broken one', async (context) => {
  if (typeof shim === 'string') return context.skip(shim)
  const { id } = await writer.ask('settings')
  writer.child.stdin?.end()
  await once(writer.child, 'exit')
  expect(refused.length).toBeGreaterThan(10)
  await expectWholeRecord()
  const names = await readdir(root, { recursive: true })
  expect(names.filter((name) => /\.corrupt-|\.ahead-/.test(name))).toEqual([])
  expect(JSON.parse(await readFile(join(root, 'data/settings.json'), 'utf8'))).toMatchObject({ note: id })
})
