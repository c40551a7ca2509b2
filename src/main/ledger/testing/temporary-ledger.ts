import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Log } from '../../ports/log.ts'
import { type LedgerOptions, type OpenedLedger, openLedger } from '../ledger.ts'

/** A folder for one workspace's data that is removed at the end, and a wall clock that the test sets. */
export interface TemporaryLedger {
  readonly directory: string
  readonly ledgerDirectory: string
  /** Epoch ms; local days are UTC days. */
  nowMs: number
  /** Warnings logged so far. */
  readonly warnings: string[]
  open(options?: Partial<LedgerOptions>): Promise<OpenedLedger>
  remove(): Promise<void>
}

export async function temporaryLedger(parent = tmpdir()): Promise<TemporaryLedger> {
  const root = await mkdtemp(join(parent, 'pulseward-ledger-'))
  const directory = join(root, 'workspaces', 'one')
  const warnings: string[] = []
  const warn: Log['warn'] = (message, fields) => void warnings.push(`${message} ${JSON.stringify(fields)}`)
  const opened: OpenedLedger[] = []
  const temporary: TemporaryLedger = {
    directory,
    ledgerDirectory: join(directory, 'ledger'),
    nowMs: Date.UTC(2026, 2, 1, 10),
    warnings,
    open: async (options) => {
      const ledger = await openLedger({
        directory,
        clock: {
          nowMs: () => temporary.nowMs,
          monotonicMs: () => temporary.nowMs,
          sleep: () => Promise.resolve(),
        },
        localDay: (ms) => new Date(ms).toISOString().slice(0, 10),
        timestamp: (ms) => new Date(ms).toISOString(),
        log: { info: () => undefined, warn, error: warn },
        ...options,
      })
      opened.push(ledger)
      return ledger
    },
    remove: async () => {
      // A failed test must not leave a ledger that still writes.
      await Promise.all(opened.map((ledger) => ledger.close()))
      await rm(root, { recursive: true, force: true })
    },
  }
  return temporary
}
