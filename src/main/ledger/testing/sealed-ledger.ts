import { appendFileSync, cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type LedgerOptions, openLedger } from '../ledger.ts'
import { encodeLine, hashLine } from '../line.ts'
import { sealStore } from '../seal.ts'
import { verifyLedger } from '../verify.ts'

const PARTS = ['data', 'state']

/**
 * Creates a ledger of one segment in `directory` (`folder`/data/…), sealed in `folder`/state, with the operations of its owner and of an
 * attacker who changes it.
 */
export function sealedLedger(folder: string, directory: string) {
  const segment = join(directory, 'ledger', '000000000001.jsonl')
  const seals = () => sealStore(directory, join(folder, 'state'), null)
  const lines = (): string[] => readFileSync(segment, 'utf8').trimEnd().split('\n')
  const open = (options: Partial<LedgerOptions> = {}) =>
    openLedger({
      directory,
      clock: { nowMs: () => 0, monotonicMs: () => 0, sleep: () => Promise.resolve() },
      localDay: () => '2026-01-01',
      timestamp: () => '2026-01-01T00:00:00Z',
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
      seals: seals(),
      ...options,
    })
  return {
    segment,
    seals,
    lines,
    open,
    /** Keeps a copy of the folder under a name, as a kill leaves it, without changing anything. */
    keepAs: (name: string): string => {
      const left = join(folder, name)
      for (const part of PARTS) cpSync(join(folder, part), join(left, part), { recursive: true })
      return left
    },
    putBack: (left: string): void => {
      for (const part of PARTS) {
        rmSync(join(folder, part), { recursive: true })
        cpSync(join(left, part), join(folder, part), { recursive: true })
      }
    },
    /** Appends a line as Pulseward would write it: the event's body as JSON, by default the last event's. */
    forge: (bodyJson?: string, onDay?: string): void => {
      const last = lines().at(-1) ?? ''
      const { seq, at, day, prev: _, ...body } = JSON.parse(last)
      const line = encodeLine(
        { seq: seq + 1, at, day: onDay ?? day },
        hashLine(Buffer.from(last)),
        bodyJson ?? JSON.stringify(body),
      )
      appendFileSync(segment, `${line.toString()}\n`)
    },
    /** Returns what the next start and `doctor` report. */
    findings: async (): Promise<{
      readonly start: readonly string[]
      readonly doctor: readonly string[]
    }> => {
      const doctor = (await verifyLedger(directory, seals())).problems.map(({ message }) => message)
      const ledger = await open()
      const start = ledger.broken()
      await ledger.close()
      return { start, doctor }
    },
  }
}
