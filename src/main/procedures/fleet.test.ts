import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CentreStore } from '../fleet/centre-store.ts'
import { CentreViews } from '../fleet/centre-views.ts'
import { facts, line, record } from '../fleet/testing/sample-messages.ts'
import { systemClock } from '../host/system-clock.ts'
import { finishedAttempt, noteEvent } from '../ledger/testing/sample-events.ts'
import { temporaryFolder } from '../testing/temporary-host.ts'
import { fleetDocument } from './fleet.ts'

let root: string
let store: CentreStore

beforeEach(async () => {
  root = await temporaryFolder()
  store = new CentreStore(join(root, 'fleet.sqlite'), Date.now())
})
afterEach(async () => {
  store.close()
  await rm(root, { recursive: true, force: true })
})

async function read(document: AsyncGenerator<string, undefined, void>): Promise<string> {
  let text = ''
  for await (const piece of document) text += piece
  return text
}

test('a document has everything that matches its filter, even from a center that was just started', async () => {
  const ids = Array.from({ length: 180 }, (_, index) => `job-${index}`)
  store.take(new Map([['one', ids.map((id, index) => line(id, index + 1))]]), 'now')
  const views = new CentreViews(store, systemClock)
  for (const id of ids) views.told('one', facts(id, ['nightly']))
  const entries = JSON.parse(await read(fleetDocument(views, { tag: 'nightly' }, 'json')))
  expect(entries).toHaveLength(ids.length)
})

test('a search for a document stops before the end of the database once its caller is gone', async () => {
  const notes = Array.from({ length: 1_200 }, (_, index) => noteEvent(`n-${index}`))
  const wanted = finishedAttempt('a-1', { taskId: 'rare_task' })
  store.take(new Map([['one', record('job-1', 1, [wanted, ...notes])]]), 'now')
  const views = new CentreViews(store, systemClock)
  const filter = { taskId: 'rare_task' }
  expect(JSON.parse(await read(fleetDocument(views, filter, 'json')))).toHaveLength(1)
  const gone = AbortSignal.abort()
  expect(JSON.parse(await read(fleetDocument(views, filter, 'json', gone)))).toEqual([])
})
