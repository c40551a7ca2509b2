import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { unknownFacts } from '../../core/fleet/presence.ts'
import { systemClock } from '../host/system-clock.ts'
import { encodeBody, encodeLine, GENESIS_HASH, hashLine } from '../ledger/line.ts'
import { segmentPath } from '../ledger/segments.ts'
import { noteEvent } from '../ledger/testing/sample-events.ts'
import { startMember } from './member.ts'
import { NATS, natsServer } from './testing/nats-server.ts'
import { type TemporaryFleet, temporaryFleet } from './testing/temporary-fleet.ts'

const SILENT = { info: () => {}, warn: () => {}, error: () => {} }
/** Many times more lines than the center processes at once. */
const LINES = 12_000
/** The host's clock runs this many times faster: its quarter of a minute takes some milliseconds. */
const HASTE = 200

/** Writes a record with this many lines, as if the hub had been away for days. */
async function writeRecord(directory: string): Promise<void> {
  const lines: Buffer[] = []
  let prev = GENESIS_HASH
  for (let seq = 1; seq <= LINES; seq += 1) {
    const envelope = { seq, at: '2026-03-01T10:00:00.000+01:00', day: '2026-03-01' }
    const line = encodeLine(envelope, prev, encodeBody(noteEvent(`Note ${seq}`)))
    prev = hashLine(line)
    lines.push(line, Buffer.from('\n'))
  }
  await mkdir(join(directory, 'ledger'), { recursive: true })
  await writeFile(segmentPath(join(directory, 'ledger'), 1), Buffer.concat(lines))
}

describe.skipIf(natsServer === null)(`a host that was away for days (${NATS})`, { timeout: 600_000 }, () => {
  let fleet: TemporaryFleet

  beforeEach(async () => {
    fleet = await temporaryFleet()
  }, 600_000)
  afterEach(() => fleet.remove(), 600_000)

  test('keeps reporting its presence while it catches up', async () => {
    const centre = await fleet.startCentre()
    const root = join(centre.root, 'away')
    await writeRecord(root)
    const pass = await fleet.hub.pass('away')
    const monotonicMs = (): number => systemClock.monotonicMs() * HASTE
    const member = startMember(
      { ...pass, group: null, labels: [], instance: 'away' },
      {
        version: '1.2.3',
        dataDirectory: root,
        clock: { ...systemClock, monotonicMs },
        log: SILENT,
        notifier: { notify: () => {} },
        timestamp: (ms) => new Date(ms).toISOString(),
        workspaces: () => [
          {
            workspace: 'job',
            name: 'job',
            dataDirectory: root,
            attemptsDirectory: root,
            seq: () => LINES,
            facts: () => unknownFacts('job'),
            allowed: () => ({ sendPrompts: false, sendOutput: false, sendDifferences: false }),
            attempts: () => [],
          },
        ],
        leases: () => [],
        halted: () => {},
        desk: () => ({
          carryOut: () => Promise.reject(new Error('Nothing is done here.')),
          interrupted: async () => {},
        }),
      },
    )
    try {
      const heard = new Set<string | null>()
      for (;;) {
        // Yield to the host and its center, which run in this process.
        await new Promise((resolve) => setImmediate(resolve))
        const host = (await centre.client.fleet.hosts()).find((each) => each.host === 'away')
        if (host?.events === LINES) break
        if (host === undefined || host.events === 0) continue
        heard.add(host.heardAt)
      }
      // Heard repeatedly during the catch-up, not only at the start.
      expect(heard.size).toBeGreaterThan(2)
    } finally {
      await member.stop()
      await rm(root, { recursive: true, force: true })
    }
  })
})
