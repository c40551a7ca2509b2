import { expect, it, onTestFinished } from 'vitest'
import type { AttemptResult, EventBody } from '../../core/record/events.ts'
import { finishedAttempt } from '../ledger/testing/sample-events.ts'
import { temporaryLedger } from '../ledger/testing/temporary-ledger.ts'
import { judgedWork } from './judged-work.ts'

/** What `not_verified` makes of an attempt on `check_email` that wrote the inbox, more attempts ago than are kept. */
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
  return judgedWork({ directory: temporary.directory, ledger }, result, 'not_verified')
}

it('an attempt of long ago, overruled, takes nothing from the honest one that has done its work anew since', async () => {
  expect(await judgedLongAfter('check_email')).toMatchObject({ files: [], refuted: true })
})

it('and leaves nothing to a liar that has done nothing since but other tasks', async () => {
  expect(await judgedLongAfter('other')).toMatchObject({ files: ['notes/inbox.md'], refuted: true })
})
