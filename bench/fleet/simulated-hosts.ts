import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { passOf } from '../../src/core/fleet/join-token.ts'
import { unknownFacts } from '../../src/core/fleet/presence.ts'
import type { EventBody } from '../../src/core/record/events.ts'
import type { AddedKey } from '../../src/main/fleet/hub.ts'
import { type Member, type MemberWorkspace, startMember } from '../../src/main/fleet/member.ts'
import { systemClock } from '../../src/main/host/system-clock.ts'
import { encodeBody, encodeLine, GENESIS_HASH, hashLine } from '../../src/main/ledger/line.ts'
import { segmentPath } from '../../src/main/ledger/segments.ts'

export const SILENT = { info: () => {}, warn: () => {}, error: () => {} }

/** The sending part of a host, once for each key, over its own connection: real except for what records. */
export interface SimulatedHosts {
  readonly members: readonly Member[]
  /** The length of each record; all records are the same, and read from disk separately. */
  readonly length: number
  /** Records this many more lines in every workspace, or in a single one. */
  record(lines: number, of?: { readonly host: number; readonly workspace: number }): void
  stop(): Promise<void>
}

export interface HostsOptions {
  readonly root: string
  readonly keys: readonly AddedKey[]
  readonly workspaces: number
  /** How many lines are available for recording. */
  readonly lines: number
  /** The `tls://…` address the hosts connect to. */
  readonly url: string
  /** How far ahead the first host's clock is, in ms. */
  readonly aheadMs: number
}

export async function startHosts(options: HostsOptions): Promise<SimulatedHosts> {
  const { root, keys, workspaces, lines, url, aheadMs } = options
  const record = await writeRecord(join(root, 'record'), lines)
  const seqs = keys.map(() => Array.from({ length: workspaces }, () => 0))
  const members: Member[] = []
  for (const [host, key] of keys.entries()) {
    const pass = passOf(key.token, (text) => Buffer.from(text, 'base64url').toString('utf8'))
    if ('problem' in pass) throw new Error(pass.problem)
    const ahead = host === 0 ? aheadMs : 0
    const sources = Array.from({ length: workspaces }, (_, each) =>
      sourceOf(`job-${each}`, record, () => seqs[host]?.[each] ?? 0),
    )
    const dataDirectory = join(root, key.name)
    await mkdir(dataDirectory, { recursive: true })
    const file = { ...pass, url, group: null, labels: [], instance: key.name }
    const member = startMember(file, {
      version: 'bench',
      dataDirectory,
      clock: { ...systemClock, nowMs: () => systemClock.nowMs() + ahead },
      log: SILENT,
      notifier: { notify: () => {} },
      timestamp: (ms) => new Date(ms).toISOString(),
      workspaces: () => sources,
      leases: () => [],
      halted: () => {},
      desk: () => ({
        carryOut: () => Promise.reject(new Error('Nothing is done here.')),
        interrupted: async () => {},
      }),
    })
    members.push(member)
  }
  return {
    members,
    length: lines,
    record: (more, of) => {
      for (const [host, counts] of seqs.entries())
        for (const [workspace, count] of counts.entries())
          if (of === undefined || (of.host === host && of.workspace === workspace))
            counts[workspace] = Math.min(count + more, lines)
      for (const member of members) member.changed()
    },
    stop: async () => {
      await Promise.all(members.map((member) => member.stop()))
    },
  }
}

function sourceOf(workspace: string, dataDirectory: string, seq: () => number): MemberWorkspace {
  return {
    workspace,
    name: workspace,
    dataDirectory,
    attemptsDirectory: dataDirectory,
    seq,
    facts: () => ({ ...unknownFacts(workspace), agentId: 'agent', trust: 'approved' }),
    allowed: () => ({ sendPrompts: false, sendOutput: false, sendDifferences: false }),
    attempts: () => [],
  }
}

/** Writes a ledger of this many lines. */
async function writeRecord(directory: string, count: number): Promise<string> {
  const lines: Buffer[] = []
  let prev = GENESIS_HASH
  for (let seq = 1; seq <= count; seq += 1) {
    const body: EventBody = {
      type: 'operator-noted',
      text: `Note ${seq} of a record that is long enough to look like one`,
      taskId: null,
    }
    const envelope = { seq, at: '2026-03-01T10:00:00.000+01:00', day: '2026-03-01' }
    const line = encodeLine(envelope, prev, encodeBody(body))
    prev = hashLine(line)
    lines.push(line, Buffer.from('\n'))
  }
  await mkdir(join(directory, 'ledger'), { recursive: true })
  await writeFile(segmentPath(join(directory, 'ledger'), 1), Buffer.concat(lines))
  return directory
}
