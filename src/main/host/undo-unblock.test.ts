import { afterEach, beforeEach, expect, test } from 'vitest'
import { isBlocked } from '../../core/cycle/progress.ts'
import type { EventBody } from '../../core/record/events.ts'
import { cycleStarted } from '../../core/record/testing/sample-events.ts'
import { finishedAttempt } from '../ledger/testing/sample-events.ts'
import { type TemporaryLedger, temporaryLedger } from '../ledger/testing/temporary-ledger.ts'
import type { Ledger } from '../ports/ledger.ts'
import { undoUnblock } from './undo-unblock.ts'

let files: TemporaryLedger
let ledger: Ledger
beforeEach(async () => {
  files = await temporaryLedger()
  ledger = await files.open()
  await ledger.append(
    {
      type: 'contract-read',
      hash: 'h',
      tasks: ['mail', 'chart'].map((id) => ({
        id,
        description: id,
        required: true,
        verify: 'task_completed',
        maxAttempts: 1,
        checked: false,
        criteria: [],
        line: 1,
      })),
    },
    cycle(1),
    failed('mail'),
    failed('chart'),
    { type: 'cycle-finished', cycle: 1, ending: 'completed' },
  )
})
afterEach(() => files.remove())

const cycle = (number: number): EventBody => cycleStarted(number, { trigger: 'manual', contractHash: 'h' })

function failed(taskId: string): EventBody {
  return finishedAttempt(`${taskId}-${ledger.state.seq}`, { taskId, verdict: 'not_verified', points: -15 })
}

function unblocked(taskId: string): EventBody {
  const how = { timeoutSeconds: 900, by: 'operator', attemptLimit: null } as const
  return { type: 'task-unblocked', taskId, reason: 'r', ...how }
}

const undo = (...taskIds: readonly string[]) => undoUnblock({ ledger }, taskIds, files.nowMs)
const blockedNow = () =>
  Object.values(ledger.state.progress.tasks)
    .filter(isBlocked)
    .map(({ taskId }) => taskId)

test('undoes an unblock within a minute, and remembers that after a restart', async () => {
  await ledger.append(unblocked('mail'))
  expect(blockedNow()).toEqual(['chart'])
  files.nowMs += 60_000
  expect(await undo('mail')).toEqual({ blocked: ['mail'], refused: [] })
  expect(blockedNow()).toEqual(['mail', 'chart'])
  await ledger.close()
  ledger = await files.open()
  expect(blockedNow()).toEqual(['mail', 'chart'])
})

test('refuses after the minute, or a second time, and records nothing', async () => {
  await ledger.append(unblocked('mail'))
  files.nowMs += 60_001
  const { seq } = ledger.state
  await expect(undo('mail')).rejects.toMatchObject({
    kind: 'conflict',
    message: 'mail stays open. An unblock can be taken back for 60 seconds, and they are over.',
  })
  files.nowMs -= 1
  await undo('mail')
  await expect(undo('mail')).rejects.toMatchObject({ kind: 'conflict' })
  expect(ledger.state.seq).toBe(seq + 1)
})

test('refuses for a task that was tried since, or is about to be', async () => {
  await ledger.append(unblocked('mail'), unblocked('chart'))
  files.nowMs += 1000
  await ledger.append(cycle(2))
  await expect(undo('chart')).rejects.toThrow('chart stays open. Heartbeat 2 has begun since, and tries it.')
  await ledger.append(failed('mail'), { type: 'cycle-finished', cycle: 2, ending: 'stopped' })
  await expect(undo('mail')).rejects.toThrow('It has been tried or judged since it was unblocked.')
  // The heartbeat never got to this task.
  expect(await undo('chart', 'mail')).toMatchObject({ blocked: ['chart'], refused: [{ taskId: 'mail' }] })
})

test('is not prevented by a heartbeat that began before the unblock', async () => {
  await ledger.append(cycle(2))
  files.nowMs += 1000
  await ledger.append(unblocked('mail'))
  expect(await undo('mail', 'mail')).toEqual({ blocked: ['mail'], refused: [] })
})

test.each(['mail', 'nowhere', 'constructor', '__proto__'])(
  'refuses for %s, which was never unblocked',
  async (taskId) => {
    await expect(undo(taskId)).rejects.toThrow(`${taskId} stays open. It has not been unblocked.`)
  },
)
