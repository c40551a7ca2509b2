import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pLimit from 'p-limit'
import { localDay, timestamp } from '../../src/core/pacing/schedule.ts'
import { addWorkspace } from '../../src/main/config/registry.ts'
import { approve, readTrust } from '../../src/main/config/trust.ts'
import { systemClock } from '../../src/main/host/system-clock.ts'
import { openLedger } from '../../src/main/ledger/ledger.ts'

const LONG_AGO_MS = 3 * 60 * 60 * 1000
const SEEDED_AT_ONCE = 16
/** In the record of each before anything is measured: a thousand of them have a million. */
const EVENTS = 1000
const silent = { info: () => {}, warn: () => {}, error: () => {} }

/**
 * Small workspaces, approved long ago, whose first heartbeats are due; their data are in `data`. Answers with the ids of the first
 * ones, so many of which are paused: theirs are due as soon as they are resumed. They differ in nothing but their folder, so the
 * record of the first is everybody's.
 */
export async function seedWorkspaces(
  root: string,
  size: number,
  paused: number,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const limit = pLimit(SEEDED_AT_ONCE)
  const [resting, busy] = [join(root, 'record-resting'), join(root, 'record-busy')]
  await writeRecord(resting, await makeFolder(root, 'first-resting'), true)
  await writeRecord(busy, await makeFolder(root, 'first-busy'), false)
  const ids = await Promise.all(
    Array.from({ length: size }, (_, index) =>
      limit(() => {
        signal.throwIfAborted()
        return seed(root, index, index < paused ? resting : busy)
      }),
    ),
  )
  return ids.slice(0, paused)
}

/** A folder that can be taken under supervision. */
export async function makeFolder(root: string, name: string): Promise<string> {
  const folder = join(root, name)
  await mkdir(folder, { recursive: true })
  await writeFile(
    join(folder, 'HEARTBEAT.md'),
    '## Tasks\n\n- [ ] write | Write | required | verify: exists("x")\n',
  )
  await writeFile(join(folder, 'pulseward.toml'), '[agent]\ncommand = ["true"]\nsandbox = "off"\n')
  return folder
}

/** What a workspace's folder of data holds once it was approved. */
async function writeRecord(directory: string, folder: string, isPaused: boolean): Promise<void> {
  await mkdir(directory)
  const ledger = await openLedger({
    directory,
    clock: { ...systemClock, nowMs: () => Date.now() - LONG_AGO_MS },
    log: silent,
    localDay: (ms) => localDay(ms, 'local'),
    timestamp: (ms) => timestamp(ms, 'local'),
  })
  const trust = await readTrust(folder, directory)
  if (trust.kind !== 'unapproved') throw new Error(`The workspace cannot be approved: ${trust.kind}.`)
  await approve(folder, directory, trust.currentHash)
  await ledger.append({ type: 'configuration-approved', hash: trust.currentHash })
  await ledger.append(
    ...Array.from({ length: EVENTS }, (_, index) => ({
      type: 'heartbeat-skipped' as const,
      dueAt: timestamp(Date.now() - LONG_AGO_MS - (EVENTS - index) * 60_000, 'local'),
      reason: 'outside-active-hours' as const,
    })),
  )
  if (isPaused) await ledger.append({ type: 'paused', until: null })
  await ledger.close()
}

async function seed(root: string, index: number, record: string): Promise<string> {
  const folder = await makeFolder(root, `workspace-${index}`)
  const data = join(root, 'data')
  const { id } = await addWorkspace(data, folder, Date.now())
  await cp(record, join(data, 'workspaces', id), { recursive: true })
  return id
}
