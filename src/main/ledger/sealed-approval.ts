import type { WorkspaceState } from '../../core/record/state.ts'
import { createSerializer, type Serialize } from '../process/serialize.ts'
import { type Seal, type SealStore, UNSEALED } from './seal.ts'

/*
 * Invariants:
 * 1. An approval is sealed before it is recorded. So a recorded approval without a seal is not ours, no matter when the host
 *    was killed.
 * 2. Until it is recorded, the previous approval is sealed beside it.
 */

/** Returns the approval in effect according to the events, as the configuration's SHA-256; `null` if there is none. */
export function recordedApproval({ custody }: WorkspaceState): string | null {
  return custody['pulseward.toml']?.base ?? null
}

/** A recorded approval, compared with the seal. */
export interface HeldApproval {
  /** SHA-256 of the configuration that counts as approved; `null`: none does. */
  readonly approved: string | null
  /** Why the record's approval does not count, as a sentence; `null` if it does. */
  readonly problem: string | null
}

/**
 * Decides which configuration counts as approved if the record says `recorded`. One that was not sealed before it was recorded is
 * not the operator's; then the sealed one counts.
 */
export function holdApproval(recorded: string | null, seal: Pick<Seal, 'approved'> | null): HeldApproval {
  const sealed = seal?.approved
  if (recorded === null || sealed === undefined || sealed.includes(recorded))
    return { approved: recorded, problem: null }
  const problem = `an approval of pulseward.toml (${recorded.slice(0, 12)}) in the record does not come from Pulseward; the one you gave counts`
  return { approved: sealed.at(-1) ?? null, problem }
}

/** What an open ledger does with its approvals. */
export interface SealedApprovals {
  /** SHA-256 of the configuration that counts as approved; `null`: none does. */
  approved(): string | null
  /**
   * Must be awaited before an approval is recorded; call `approvalRecorded` once it is. Rejects with a `StorageError` if an
   * approval was sealed before: then the new one must not be recorded, because at the next start it would look forged.
   */
  approving(hash: string): Promise<void>
  approvalRecorded(hash: string): void
  /** Returns the approvals for the next seal. */
  sealed(): readonly string[]
}

/** `approved` is the approval in effect when the ledger was opened. Writes to the seal go through `serialize`, like every write to it. */
export function sealApprovals(
  store: SealStore,
  approved: string | null,
  serialize: Serialize = createSerializer(),
): SealedApprovals {
  let counts = approved
  let about: string | null = null
  const sealed = (): readonly string[] => [...new Set([counts, about].filter((hash) => hash !== null))]
  return {
    approved: () => counts,
    approving: (hash) =>
      serialize(async () => {
        const seal = (await store.read()) ?? { ...UNSEALED, broken: null }
        about = hash
        // If the record is damaged, the rest of the seal is evidence.
        await store.write({ ...seal, approved: sealed() }, seal.broken).catch((error: unknown) => {
          // If no approval was ever sealed and none can be, nothing contradicts the record at the next start.
          if (seal.approved !== undefined) throw error
        })
      }),
    approvalRecorded: (hash) => {
      counts = hash
      about = null
    },
    sealed,
  }
}
