import { afterEach, beforeEach, expect, test } from 'vitest'
import { listSegments } from './segments.ts'
import { type TemporaryLedger, temporaryLedger } from './testing/temporary-ledger.ts'

const DAY_MS = 86_400_000
const EVENT = { type: 'supervisor-started', version: '1', pid: 1 } as const

let files: TemporaryLedger

beforeEach(async () => {
  files = await temporaryLedger()
})
afterEach(() => files.remove())

const beginnings = async () => (await listSegments(files.ledgerDirectory)).map(({ firstSeq }) => firstSeq)

test('a segment is closed when it is 30 days old, however short it is', async () => {
  const ledger = await files.open()
  await ledger.append(EVENT)
  files.nowMs += 29 * DAY_MS
  await ledger.append(EVENT)
  expect(await beginnings()).toEqual([1])
  files.nowMs += 2 * DAY_MS
  const before = ledger.state.seq
  await ledger.append(EVENT)
  expect(await beginnings()).toEqual([1, before + 1])
  await ledger.close()
})

test('a segment is closed at that age even if Pulseward was restarted in between', async () => {
  const first = await files.open()
  await first.append(EVENT)
  await first.close()
  files.nowMs += 31 * DAY_MS
  const again = await files.open()
  await again.append(EVENT)
  await again.close()
  const [one, two, ...others] = await beginnings()
  expect(one).toBe(1)
  expect(two).toBeGreaterThan(1)
  expect(others).toEqual([])
})
