import type { WorkspaceState } from '../../core/record/state.ts'
import { createSerializer, type Serialize } from '../process/serialize.ts'
import { type Seal, type SealStore, UNSEALED } from './seal.ts'

/*
 * Invariants:
 * 1. An approval is sealed before it is recorded: one in the record that is not sealed is not ours, whenever the host was killed.
 * 2. Until it is recorded, what was approved before it is sealed beside it.
 */

/** The approval in force by the events, SHA-256 of the configuration; `null`: none. */
export function recordedApproval({ custody }: WorkspaceState): string | null {
  return custody['pulseward.toml']?.base ?? null
}

/** An approval as the record has it, held against the seal. */
export interface HeldApproval {
  /** SHA-256 of the configuration that counts as approved; `null`: none does. */
  readonly approved: string | null
  /** Where the record has another one: a sentence. */
  readonly problem: string | null
}

/**
 * Which configuration counts as approved where the record says it is `recorded`: one that was not sealed before it was recorded is
 * not the operator's, and the one that was sealed counts.
 */
export function holdApproval(recorded: string | null, seal: Pick<Seal, 'approved'> | null): HeldApproval {
  const sealed = seal?.approved
  if (recorded === null || sealed === undefined || sealed.includes(recorded))
    return { approved: recorded, problem: null }
  const problem = `pulseward.toml was approved in it (${recorded.slice(0, 12)}) by nobody that Pulseward knows of, and what you approved yourself counts`
  return { approved: sealed.at(-1) ?? null, problem }
}

/** What a ledger that is open does with its approvals. */
export interface SealedApprovals {
  /** SHA-256 of the configuration that counts as approved; `null`: none does. */
  approved(): string | null
  /**
   * Has to be waited for before an approval is recorded, and `approvalRecorded` to be called once it is. Rejects with a `StorageError`
   * where an approval was sealed before: then it must not be recorded, for at the next start it would look like a forged one.
   */
  approving(hash: string): Promise<void>
  approvalRecorded(hash: string): void
  /** What stands in the seal from here on. */
  sealed(): readonly string[]
}

/** `approved`: the one in force when the ledger was opened. The seal is written in `serialize`, as everything that writes it has to be. */
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
        // Of a record that is not whole the rest of the seal is evidence.
        await store.write({ ...seal, approved: sealed() }, seal.broken).catch((error: unknown) => {
          // Where no approval was ever sealed, and none can be, nothing contradicts the record at the next start.
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
