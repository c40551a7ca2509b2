import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pLimit from 'p-limit'
import { localDay, timestamp } from '../../src/core/pacing/schedule.ts'
import { addWorkspace } from '../../src/main/config/registry.ts'
import { approve, readTrust } from '../../src/main/config/trust.ts'
import { systemClock } from '../../src/main/host/system-clock.ts'
import { openLedger } from '../../src/main/ledger/ledger.ts'
import { type SealFile, sealStore } from '../../src/main/ledger/seal.ts'

const LONG_AGO_MS = 3 * 60 * 60 * 1000
const SEEDED_AT_ONCE = 16
/** The number of events in each record before anything is measured: a thousand records have a million. */
const EVENTS = 1000
const silent = { info: () => {}, warn: () => {}, error: () => {} }

/**
 * Creates small workspaces, approved long ago, whose first heartbeats are due; their data is in `data`. Returns the ids of the
 * first ones, which are paused: theirs are due as soon as they are resumed. They differ only in their folder, so all share the
 * record of the first.
 */
export async function seedWorkspaces(
  root: string,
  size: number,
  { paused, isContained }: { readonly paused: number; readonly isContained: boolean },
  signal: AbortSignal,
): Promise<readonly string[]> {
  const limit = pLimit(SEEDED_AT_ONCE)
  const resting = await writeRecord(
    join(root, 'record-resting'),
    await makeFolder(root, 'first-resting', isContained),
    true,
  )
  const busy = await writeRecord(
    join(root, 'record-busy'),
    await makeFolder(root, 'first-busy', isContained),
    false,
  )
  const each = (work: (index: number, record: SeededRecord) => Promise<string>): Promise<string[]> =>
    Promise.all(
      Array.from({ length: size }, (_, index) =>
        limit(() => {
          signal.throwIfAborted()
          return work(index, index < paused ? resting : busy)
        }),
      ),
    )
  const ids = await each((index, record) => seed(root, index, record, isContained))
  // A record without a seal counts as restored from a backup, and is compared with what the other hosts know about it. Each seal is written
  // right after its record.
  await each(async (index, { seal }) => {
    const id = ids[index] ?? ''
    await sealStore(join(root, 'data', 'workspaces', id)).write(seal)
    return id
  })
  return ids.slice(0, paused)
}

/** Creates a folder that can be supervised. */
export async function makeFolder(root: string, name: string, isContained = false): Promise<string> {
  const folder = join(root, name)
  await mkdir(folder, { recursive: true })
  await writeFile(
    join(folder, 'HEARTBEAT.md'),
    '## Tasks\n\n- [ ] write | Write | required | verify: exists("x")\n',
  )
  await writeFile(
    join(folder, 'pulseward.toml'),
    `[agent]\ncommand = ["true"]\n${isContained ? '' : 'sandbox = "off"\n'}`,
  )
  return folder
}

/** The content of a workspace's data folder after approval, and its seal. */
interface SeededRecord {
  readonly directory: string
  readonly seal: SealFile
}

async function writeRecord(directory: string, folder: string, isPaused: boolean): Promise<SeededRecord> {
  await mkdir(directory)
  const seals = sealStore(directory)
  const ledger = await openLedger({
    directory,
    clock: { ...systemClock, nowMs: () => Date.now() - LONG_AGO_MS },
    log: silent,
    seals,
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
  const seal = await seals.read()
  if (seal === null) throw new Error('The record was not sealed.')
  return { directory, seal }
}

async function seed(
  root: string,
  index: number,
  { directory }: SeededRecord,
  isContained: boolean,
): Promise<string> {
  const folder = await makeFolder(root, `workspace-${index}`, isContained)
  const data = join(root, 'data')
  const { id } = await addWorkspace(data, folder, Date.now())
  await cp(directory, join(data, 'workspaces', id), { recursive: true })
  return id
}
