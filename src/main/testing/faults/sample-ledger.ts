import { join } from 'node:path'
import { type OpenedLedger, openLedger } from '../../ledger/ledger.ts'
import { sealStore } from '../../ledger/seal.ts'
import type { Log } from '../../ports/log.ts'

/** A sealed ledger in `root/data` that starts new segments, snapshots and seals at short intervals. */
export function openSampleLedger(root: string, warn: Log['warn']): Promise<OpenedLedger> {
  const directory = join(root, 'data', 'workspaces', 'one')
  return openLedger({
    directory,
    clock: { nowMs: () => Date.now(), monotonicMs: () => performance.now(), sleep: () => Promise.resolve() },
    localDay: (ms) => new Date(ms).toISOString().slice(0, 10),
    timestamp: (ms) => new Date(ms).toISOString(),
    log: { info: () => undefined, warn, error: warn },
    segmentBytes: 6 * 1024,
    snapshotEvery: 3,
    seals: sealStore(directory, join(root, 'seals'), null),
  })
}
