/*
 * Run as a program: `node append-until-killed.ts FOLDER PREFIX`. Claims the folder, opens its ledger and appends events from
 * several callers at once until it is killed. Prints its progress: `claimed`, `opened`, and `SEQ ID` for every event once its
 * append has resolved.
 */
import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { claimDataFolder } from '../data-folder.ts'
import { openLedger } from '../ledger.ts'
import { finishedAttempt, noteEvent } from './sample-events.ts'

const [folder = '', prefix = ''] = process.argv.slice(2)
const say = (line: string): void => {
  writeSync(1, `${line}\n`)
}
const shout = (message: string, fields?: Record<string, unknown>): void => {
  writeSync(2, `${message} ${JSON.stringify(fields)}\n`)
}

const claim = await claimDataFolder(folder)
if (claim.kind !== 'owner') {
  shout('not the owner', { pid: claim.pid })
  process.exit(3)
}
say('claimed')

const ledger = await openLedger({
  directory: join(folder, 'workspaces', 'one'),
  clock: {
    nowMs: () => Date.now(),
    monotonicMs: () => performance.now(),
    sleep: () => Promise.resolve(),
  },
  localDay: (ms) => new Date(ms).toISOString().slice(0, 10),
  timestamp: (ms) => new Date(ms).toISOString(),
  log: { info: () => undefined, warn: shout, error: shout },
  segmentBytes: 16 * 1024,
  snapshotEvery: 7,
})
if (ledger.problems.length > 0) shout('problems', { problems: ledger.problems })
say('opened')

async function appendForever(caller: string, batchSize: number): Promise<never> {
  for (let number = 0; ; number += 1) {
    const ids = Array.from({ length: batchSize }, (_, index) => `${prefix}-${caller}-${number}-${index}`)
    const bodies = ids.map((id, index) => (index === 1 ? finishedAttempt(id) : noteEvent(id)))
    const events = await ledger.append(...bodies)
    for (const [index, event] of events.entries()) say(`${event.seq} ${ids[index]}`)
  }
}

await Promise.all([appendForever('a', 1), appendForever('b', 2), appendForever('c', 5)])
