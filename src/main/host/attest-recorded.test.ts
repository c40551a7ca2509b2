import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { EventBody } from '../../core/record/events.ts'
import { landingRecordSchema } from '../../core/record/landing-record.ts'
import { cycleStarted } from '../../core/record/testing/sample-events.ts'
import { landingRepository } from '../landing/testing/landing-repository.ts'
import { finishedAttempt } from '../ledger/testing/sample-events.ts'
import { temporaryLedger } from '../ledger/testing/temporary-ledger.ts'
import { attestRecorded } from './attest-recorded.ts'
import { systemClock } from './system-clock.ts'

const at = landingRepository()

const OVERRULED: EventBody = {
  ...{ type: 'verdict-overruled', attemptId: 'overruled', taskId: 'check_email', attemptDay: '2026-03-01' },
  ...{ from: 'verified', fromContradiction: false, to: 'not_verified', reason: 'I looked', pointsDelta: -25 },
}
const ACCEPTED: EventBody = {
  ...{ type: 'review-answered', attemptId: 'accepted', taskId: 'check_email', attemptDay: '2026-03-01' },
  ...{ answer: 'accept', rigged: false, putBack: [], always: null, reason: null, points: 10 },
}
const passed = { verdict: 'verified' as const, reasons: [] }
const held = { id: 'h', because: 'check' as const, files: ['check.sh'], with: null }

const open = async () => {
  const temporary = await temporaryLedger()
  onTestFinished(() => temporary.remove())
  const ledger = await temporary.open()
  const predicate = async (of: string) => {
    const attested = await attestRecorded(
      { id: 'one', name: 'one', ledger, directory: at.top, dataDirectory: temporary.directory },
      { dataDirectory: join(at.root, 'data'), clock: systemClock, version: '1.0.0' },
      of,
    )
    const [first = ''] = attested?.envelopes ?? []
    return JSON.parse(Buffer.from(JSON.parse(first).payload, 'base64').toString())
  }
  return { ledger, predicate }
}
const treeOf = (revision: string): string => at.git('rev-parse', `${revision}^{tree}`)

it('signs the commit that landed an attempt, if its tree was judged together with the target', async () => {
  const { ledger, predicate } = await open()
  const [base, commit, merged] = [
    at.git('rev-parse', 'HEAD'),
    at.commitOf({ 'one.txt': 'two\n' }),
    at.commitOf({ 'one.txt': 'three\n' }),
  ]
  const tree = { tree: treeOf(base), commit: base, isDirty: true }
  await ledger.append(cycleStarted(1), finishedAttempt('a-1', { tree }))
  const landing = landingRecordSchema.parse({
    ...{ attemptId: 'a-1', taskId: 'check_email', description: 'Mail', target: 'main', verified: true },
    ...{
      base,
      source: base,
      verifiedTree: treeOf(base),
      tree: treeOf(commit),
      commit,
      state: 'landed',
      because: '',
    },
  })
  const landed = (as: string) => ({ ...landing, commit: as, judged: [treeOf(commit)] })
  await ledger.append({ type: 'landing-changed', landing: landed(merged) })
  await expect(predicate(merged)).rejects.toThrow('No attempt')
  await ledger.append({ type: 'landing-changed', landing: landed(commit) })
  expect(await predicate(commit)).toMatchObject({
    subject: [{ digest: { gitCommit: commit, gitTree: treeOf(commit) } }],
    predicate: { verdict: { value: 'verified' }, record: { value: { attempt: 'a-1' } } },
  })
})

it('reports the operator’s decisions about attempts that are no longer in the state', async () => {
  const { ledger, predicate } = await open()
  const tree = { tree: treeOf('HEAD'), commit: at.git('rev-parse', 'HEAD'), isDirty: false }
  const waiting = { tree, verdict: 'unclear' as const, held: { ...held, inPlace: passed, cleanRoom: passed } }
  await ledger.append(
    cycleStarted(1),
    ...['verified', 'overruled'].map((id) => finishedAttempt(id, { tree })),
    ...['held', 'accepted'].map((id) => finishedAttempt(id, waiting)),
    ...Array.from({ length: 2100 }, (_, index) => finishedAttempt(`a-${index}`)),
  )
  await ledger.append(OVERRULED, ACCEPTED)
  expect(ledger.state.attempts.some(({ attemptId }) => attemptId === 'overruled')).toBe(false)
  const said = async (id: string) => {
    const { verdict, decidedBy, held: waits } = (await predicate(id)).predicate
    return [verdict.value, decidedBy.value, waits.value?.because ?? null]
  }
  expect(await said('verified')).toEqual(['verified', 'measurement', null])
  expect(await said('overruled')).toEqual(['not_verified', 'operator', null])
  expect(await said('held')).toEqual(['unclear', 'measurement', 'check'])
  expect(await said('accepted')).toEqual(['verified', 'operator', null])
})
