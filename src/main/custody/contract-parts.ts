import type { CustodyFile } from '../../core/vocabulary/proposal.ts'
import type { ContractReader } from '../ports/contract-reader.ts'
import type { Ledger } from '../ports/ledger.ts'
import type { Log } from '../ports/log.ts'
import type { Notifier } from '../ports/notifier.ts'
import type { AgentsAtWork } from './agents-at-work.ts'
import type { FileRules, SeenFile } from './file-custody.ts'
import { settingItems } from './setting-items.ts'
import type { TextStore } from './text-store.ts'

export interface CustodyOptions {
  readonly workspaceId: string
  readonly workspaceName: string
  /** The workspace's folder. */
  readonly directory: string
  readonly ledger: Ledger
  readonly store: TextStore
  readonly log: Log
  readonly notifier: Notifier
  readonly agentsAtWork: AgentsAtWork
  readonly contracts: ContractReader
  /** Describes what is left of earlier runs and can change one of the files; `null`: nothing. */
  readonly leftBehind: (files: readonly string[]) => Promise<string | null>
  readonly newId: () => string
  readonly readContract: () => Promise<{ readonly bytes: Buffer } | { readonly reason: string }>
  readonly writeContract: (bytes: Buffer) => Promise<void>
  /** Returns why a file is a link that is not followed, and how to fix it; `null`: it is not one. Omitted where no file is looked at. */
  readonly whyLedOut?: (file: CustodyFile) => Promise<string | null>
  readonly formerContract: () => Promise<Buffer | null>
  readonly readConfiguration: () => Promise<Buffer | null>
  readonly writeConfiguration: (bytes: Buffer) => Promise<void>
  /** Makes the content with this hash the one in force. */
  readonly approveConfiguration: (hash: string) => Promise<void>
  /** Returns every setting of a text by its name, as written; `null` if the text is not TOML. */
  readonly settingsOf: (text: string) => ReadonlyMap<string, string> | null
}

/** A file with both texts known. */
export type SeenText = NonNullable<SeenFile['base']>

export const LOST =
  "The copy of HEARTBEAT.md as you left it is gone or was changed in the data folder, so Pulseward can't tell which version counts. Review the file, then run `pulseward trust` on the folder to accept it as it is."

/** Returns the rules for the contract: an edit by the operator takes effect at once. */
export function contractRules(options: CustodyOptions): FileRules {
  return {
    file: 'HEARTBEAT.md',
    readDisk: async () => {
      const reading = await options.readContract()
      return 'reason' in reading ? null : reading
    },
    whyLedOut: async () => (await options.whyLedOut?.('HEARTBEAT.md')) ?? null,
    itemsOf: options.contracts.items,
    mergeEdit: async (base, seen, disk) => {
      const merged = await options.contracts.mergeEdit(base, seen, disk)
      return merged.kind === 'conflict' ? 'conflict' : merged.base
    },
    formerlySeen: options.formerContract,
    isApproved: false,
  }
}

/** Returns the rules for the configuration: only what was approved takes effect. */
export function configurationRules(options: CustodyOptions): FileRules {
  return {
    file: 'pulseward.toml',
    readDisk: async () => {
      const bytes = await options.readConfiguration()
      return bytes === null ? null : { bytes }
    },
    whyLedOut: async () => (await options.whyLedOut?.('pulseward.toml')) ?? null,
    itemsOf: async (before, after) => settingItems(before, after, options.settingsOf),
    // Only an approval changes which configuration is in effect.
    mergeEdit: async () => null,
    formerlySeen: async () => null,
    isApproved: true,
  }
}
