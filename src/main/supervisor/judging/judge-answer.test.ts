import { expect, it, onTestFinished } from 'vitest'
import type { AttemptResult, EventBody } from '../../../core/record/events.ts'
import { sampleTask } from '../../../core/record/testing/sample-events.ts'
import { finishedAttempt } from '../../ledger/testing/sample-events.ts'
import { temporaryLedger } from '../../ledger/testing/temporary-ledger.ts'
import { judgeAnswer } from './judge-answer.ts'

/** Judges an attempt on `check_email` that wrote the inbox as `not_verified`, after more later attempts than are kept. */
async function judgedLongAfter(laterTask: string) {
  const temporary = await temporaryLedger()
  onTestFinished(() => temporary.remove())
  const ledger = await temporary.open()
  const later = Array.from(
    { length: 500 },
    (_, index): EventBody => finishedAttempt(`b-${index}`, { taskId: laterTask }),
  )
  await ledger.append(finishedAttempt('a-1'), ...later)
  expect(ledger.state.attempts.map(({ attemptId }) => attemptId)).not.toContain('a-1')
  const result = (await ledger.attempt('a-1')) as AttemptResult
  const workspace = { directory: temporary.directory, ledger }
  return (await judgeAnswer(workspace, result, { verdict: 'not_verified', required: true })).work
}

it('overruling an old attempt takes nothing from an honest agent that has done its work again since', async () => {
  expect(await judgedLongAfter('check_email')).toMatchObject({ files: [], refuted: true })
})

it('overruling leaves nothing to a liar that has done only other tasks since', async () => {
  expect(await judgedLongAfter('other')).toMatchObject({ files: ['notes/inbox.md'], refuted: true })
})

/** Returns what the verdict on a task with one criterion is based on if the operator verifies it now that the task has `criteria`. */
async function restsOnWith(criteria: readonly string[], change: Partial<AttemptResult> = {}) {
  const temporary = await temporaryLedger()
  onTestFinished(() => temporary.remove())
  const ledger = await temporary.open()
  const task = sampleTask('check_email', {
    description: 'Check the email',
    verify: 'email_count > 0',
    criteria: criteria.map((text) => ({ text, checked: false, verify: null })),
  })
  const reconciliation = { rows: [], contradictions: [] }
  const counted = { criteria: { met: 0, total: 1 }, reconciliation, ...change }
  await ledger.append({ type: 'contract-read', hash: 'h', tasks: [task] }, finishedAttempt('a-1', counted))
  const result = (await ledger.attempt('a-1')) as AttemptResult
  const workspace = { directory: temporary.directory, ledger }
  return (await judgeAnswer(workspace, result, { verdict: 'verified', required: true })).work?.restsOn
}

it('the operator’s verdict does not cover a prose criterion that was added after the attempt', async () => {
  expect(await restsOnWith(['The mail is answered', 'And filed'])).toBeNull()
})

it('the operator’s verdict covers an unchanged task, even if the attempt was cut off before anything was counted', async () => {
  expect(await restsOnWith(['The mail is answered'])).not.toBeNull()
  const cutOff = { criteria: { met: 0, total: 0 }, reconciliation: null }
  expect(await restsOnWith(['The mail is answered'], cutOff)).not.toBeNull()
})
