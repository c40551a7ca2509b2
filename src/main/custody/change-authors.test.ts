import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { initialState } from '../../core/record/fold.ts'
import type { Ledger } from '../ports/ledger.ts'
import { createAgentsAtWork } from './agents-at-work.ts'
import { ChangeAuthors } from './change-authors.ts'
import type { Author } from './file-custody.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const ALIVE = 'a process of an earlier attempt was alive'
const BY_AGENT: Author = { kind: 'agent', attemptIds: [], during: ALIVE, cycle: null }
const BY_OPERATOR: Author = { kind: 'operator', by: 'outside' }

/** The state after a run that left a process behind until `end` is called. `atLast`: who made the changes that the last look
 * finds. */
async function afterRun() {
  let left: string | null = ALIVE
  const atLast: Author[] = []
  const authors: ChangeAuthors = new ChangeAuthors(
    {
      agentsAtWork: createAgentsAtWork(),
      workspaceId: 'w',
      directory: '/w',
      // Safe: only the state is read.
      ledger: { state: initialState() } as unknown as Ledger,
      leftBehind: async () => left,
      log: { info: () => {}, warn: () => {}, error: () => {} },
    },
    async (forget) => {
      atLast.push(await authors.find(false))
      forget()
    },
  )
  await authors.noteLeftBehind()
  const end = (): void => {
    left = null
  }
  return { authors, atLast, end }
}

test('a change is the agent’s as long as something that it left behind may have made it', async () => {
  const { authors, atLast, end } = await afterRun()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await authors.find(false)).toEqual(BY_AGENT)
  expect(atLast).toEqual([])
  end()
  // It wrote, and ended before anyone looked.
  expect(await authors.find(false)).toEqual(BY_AGENT)
})

test('a change after all that has ended is the operator’s', async () => {
  const { authors, atLast, end } = await afterRun()
  end()
  await vi.advanceTimersByTimeAsync(500)
  expect(atLast).toEqual([BY_AGENT])
  expect(await authors.find(false)).toEqual(BY_OPERATOR)
})

test('looks for a long-running process less and less often, and stops once it is closed', async () => {
  const { authors, atLast, end } = await afterRun()
  await vi.advanceTimersByTimeAsync(3_600_000)
  end()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(atLast).toEqual([BY_AGENT])
  await authors.noteLeftBehind()
  authors.close()
  expect(vi.getTimerCount()).toBe(0)
})

test('waits for nothing after it is closed', async () => {
  const { authors } = await afterRun()
  authors.close()
  await authors.noteLeftBehind()
  expect(vi.getTimerCount()).toBe(0)
})
