import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { landingRecordSchema } from '../../core/record/landing-record.ts'
import { cycleStarted } from '../../core/record/testing/sample-events.ts'
import { landingRepository } from '../landing/testing/landing-repository.ts'
import { finishedAttempt } from '../ledger/testing/sample-events.ts'
import { temporaryLedger } from '../ledger/testing/temporary-ledger.ts'

import { attestVerdicts } from './attest-verdicts.ts'
import { systemClock } from './system-clock.ts'

const at = landingRepository()

it.each([
  ['by the operator, who accepted the combination that was held', true, 'operator'],
  ['by measurement, if its combination was verified', false, 'measurement'],
])('signs landed work as decided %s', async (_name, isHeld, decidedBy) => {
  const temporary = await temporaryLedger()
  onTestFinished(() => temporary.remove())
  const ledger = await temporary.open()
  const [base, commit] = [at.git('rev-parse', 'HEAD'), at.commitOf({ 'one.txt': 'two\n' })]
  const tree = at.git('rev-parse', `${commit}^{tree}`)
  const landing = landingRecordSchema.parse({
    ...{ attemptId: 'a-1', taskId: 'mail', description: 'Mail', target: 'main', verified: true },
    ...{ base, source: commit, verifiedTree: at.git('rev-parse', `${base}^{tree}`), tree, commit: null },
    ...{ state: isHeld ? 'held' : 'queued', because: '', judged: isHeld ? [] : [tree] },
    heldTree: isHeld ? tree : null,
  })
  const judged = { tree: landing.verifiedTree, commit: base, isDirty: true }
  await ledger.append(cycleStarted(1), finishedAttempt('a-1', { tree: judged }))
  await ledger.append({ type: 'landing-changed', landing })
  const attester = attestVerdicts(
    {
      ...{ id: 'one', name: 'one', ledger },
      ...{ directory: at.top, dataDirectory: temporary.directory },
    },
    {
      ...{ dataDirectory: join(at.root, 'data'), clock: systemClock, version: '1.0.0' },
      log: { info: () => {}, warn: (text, fields) => console.log(text, fields), error: () => {} },
    },
    () => true,
  )
  const watched = attester.watch?.()
  const landed = { ...landing, state: 'landed' as const, commit, judged: [tree], heldTree: null }
  await watched?.(await ledger.append({ type: 'landing-changed', landing: landed }))
  await attester.settled()
  const [first = ''] = at.git('notes', '--ref=pulseward', 'show', commit).split('\n')
  expect(JSON.parse(Buffer.from(JSON.parse(first).payload, 'base64').toString())).toMatchObject({
    predicate: { verdict: { value: 'verified' }, decidedBy: { value: decidedBy } },
  })
})
