import { join } from 'node:path'
import { contractChanges } from '../../core/contract/changes.ts'
import { parseContract, runnableTasks } from '../../core/contract/parse.ts'
import { readContractAt } from '../config/contract-file.ts'
import { writeFileAtomically } from '../files/durable-file.ts'
import { textPatch } from '../files/text-patch.ts'
import type { Ledger } from '../ports/ledger.ts'
import type { Log } from '../ports/log.ts'

const MAX_PATCH_BYTES = 16 * 1024
const SEEN_NAME = 'contract-seen.md'

interface SeenContract {
  readonly text: string
  readonly hash: string
}

/** Remembers the contract as it was last seen, and records in the ledger what is different when it is seen again. */
export interface ContractJournal {
  /**
   * Records an edit where the contract is not what was last seen. Left out, `by` is the agent while one runs, else somebody outside
   * Pulseward. Rejects where the ledger cannot be written.
   */
  note(contract: SeenContract, by?: 'operator'): Promise<void>
}

/** A journal that keeps what it has seen in the workspace's data folder `directory`. */
export function createContractJournal(options: {
  readonly directory: string
  readonly ledger: Ledger
  readonly log: Log
}): ContractJournal {
  const { ledger, log } = options
  const path = join(options.directory, SEEN_NAME)
  let seen: SeenContract | null = null
  // One after the other: two that see the same edit must not both record it.
  let last: Promise<void> = Promise.resolve()

  async function note(contract: SeenContract, by: 'operator' | undefined): Promise<void> {
    seen ??= await readSeen(path)
    if (seen?.hash === contract.hash) return
    const known = ledger.state.contract
    // Data of an older version: what the ledger knows of the tasks stands for the text.
    const previousHash = seen?.hash ?? known?.hash ?? null
    if (previousHash !== contract.hash) {
      const before = seen === null ? (known?.tasks ?? []) : tasksOf(seen.text)
      const { running } = ledger.state
      await ledger.append({
        type: 'contract-edited',
        by: by ?? (running?.attempt == null ? 'outside' : 'agent'),
        cycle: running?.cycle ?? null,
        hash: contract.hash,
        previousHash,
        changes: contractChanges(before, tasksOf(contract.text)),
        patch: seen === null ? null : textPatch('HEARTBEAT.md', seen.text, contract.text, MAX_PATCH_BYTES),
      })
    }
    seen = { text: contract.text, hash: contract.hash }
    await writeFileAtomically(path, contract.text).catch((error: unknown) =>
      log.warn('The contract could not be remembered; the next edit is recorded without its text', {
        error: String(error),
      }),
    )
  }

  return {
    note: (contract, by) => {
      const noted = last.then(() => note(contract, by))
      last = noted.catch(() => undefined)
      return noted
    },
  }
}

async function readSeen(path: string): Promise<SeenContract | null> {
  const reading = await readContractAt(path)
  return reading.ok ? reading : null
}

function tasksOf(text: string) {
  return runnableTasks(parseContract(text, { probeNames: [] }))
}
