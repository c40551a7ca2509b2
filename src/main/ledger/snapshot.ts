import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { WorkspaceState } from '../../core/record/state.ts'
import { writeFileAtomically } from '../files/durable-file.ts'
import { sha256 } from '../files/sha256.ts'

/** Raise it whenever `applyEvent` changes the result of an event; older snapshots are then ignored in favor of a full replay. */
export const FOLD_VERSION = 30
const SNAPSHOT_SCHEMA = 'pulseward.snapshot.v1'
/** Far above any state, since its lists are bounded: a larger file is not ours. */
const MAX_SNAPSHOT_BYTES = 64 * 1024 * 1024

/** The state after event `seq`, whose line has the hash `hash`. */
export interface Snapshot {
  readonly seq: number
  readonly hash: string
  readonly state: WorkspaceState
}

const snapshotSchema = z.object({
  schema: z.literal(SNAPSHOT_SCHEMA),
  fold: z.literal(FOLD_VERSION),
  seq: z.int().min(1),
  hash: z.string(),
  /** Hex SHA-256 of the state as JSON. */
  checksum: z.string(),
  state: z.looseObject({ seq: z.int() }),
})

/** Returns the path of a ledger's snapshot. */
export function snapshotPath(ledgerDirectory: string): string {
  return join(ledgerDirectory, 'snapshot.json')
}

/** Writes the snapshot atomically; rejects with a `StorageError`, and then the old one remains. */
export async function writeSnapshot(ledgerDirectory: string, snapshot: Snapshot): Promise<void> {
  const state = JSON.stringify(snapshot.state)
  const head = {
    schema: SNAPSHOT_SCHEMA,
    fold: FOLD_VERSION,
    seq: snapshot.seq,
    hash: snapshot.hash,
    checksum: sha256(state),
  }
  await writeFileAtomically(
    snapshotPath(ledgerDirectory),
    `${JSON.stringify(head).slice(0, -1)},"state":${state}}\n`,
  )
}

/** Reads the snapshot, or says why it is not usable. Never rejects. */
export async function readSnapshot(
  ledgerDirectory: string,
): Promise<Snapshot | { readonly unusable: string }> {
  const path = snapshotPath(ledgerDirectory)
  try {
    const { size } = await stat(path)
    if (size > MAX_SNAPSHOT_BYTES) return { unusable: `${size} bytes long` }
    const parsed = snapshotSchema.safeParse(JSON.parse(await readFile(path, 'utf8')))
    if (!parsed.success) return { unusable: 'another version, or not a snapshot' }
    const { seq, hash, state } = parsed.data
    if (sha256(JSON.stringify(state)) !== parsed.data.checksum)
      return { unusable: "its checksum doesn't match" }
    // Safe: checksum and versions show that this program wrote both from values of these types.
    return {
      seq,
      hash,
      state: sharingDetails(state as unknown as WorkspaceState),
    }
  } catch (error) {
    return { unusable: error instanceof Error ? error.message : String(error) }
  }
}

/** The details of a workspace's heartbeats are mostly equal strings; when parsed from a file, each would have its own copy. */
function sharingDetails(state: WorkspaceState): WorkspaceState {
  const known = new Map<string, string>()
  const heartbeats = state.heartbeats.map((heartbeat) => {
    const detail = known.get(heartbeat.detail) ?? heartbeat.detail
    known.set(detail, detail)
    return { ...heartbeat, detail }
  })
  return { ...state, heartbeats }
}
