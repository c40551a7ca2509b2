import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { type FileReading, readBoundedFile } from '../files/bounded-file.ts'
import { readOperatorFile, replaceOperatorFile } from '../files/operator-file.ts'
import { explainCode } from '../files/storage-error.ts'
import type { AgentsAtWork } from './agents-at-work.ts'
import { createContractCustody, type WorkspaceCustody } from './contract-custody.ts'
import type { CustodyOptions } from './contract-parts.ts'
import { createTextStore } from './text-store.ts'

const MAXIMUM_BYTES = 2 * 1024 * 1024
const CONTRACT = 'HEARTBEAT.md'
const CONFIGURATION = 'pulseward.toml'
const NEW_FILE_MODE = 0o644

/** What opening the custody of a workspace needs, apart from its files. */
export interface OpenCustodyOptions
  extends Pick<
    CustodyOptions,
    | 'workspaceId'
    | 'workspaceName'
    | 'directory'
    | 'ledger'
    | 'log'
    | 'notifier'
    | 'leftBehind'
    | 'contracts'
    | 'approveConfiguration'
    | 'settingsOf'
  > {
  readonly dataDirectory: string
  readonly agentsAtWork: AgentsAtWork
  /** Returns one sentence: why the contract cannot be read, and how to fix it. */
  readonly whyUnreadable: () => Promise<string>
}

/** Opens the custody of a workspace's two files, with its copies in the workspace's data folder. */
export function openContractCustody(options: OpenCustodyOptions): WorkspaceCustody {
  const { dataDirectory, whyUnreadable, ...rest } = options
  const { directory } = options
  const bytesOf = (reading: FileReading): Buffer | null => (reading.ok ? reading.bytes : null)
  const bytesIn = async (name: string): Promise<Buffer | null> =>
    bytesOf(await readOperatorFile(directory, name, MAXIMUM_BYTES))
  return createContractCustody({
    ...rest,
    store: createTextStore(join(dataDirectory, 'contract')),
    newId: () => `p-${randomUUID().slice(0, 8)}`,
    readContract: async () => {
      const bytes = await bytesIn(CONTRACT)
      return bytes === null ? { reason: await whyUnreadable() } : { bytes }
    },
    writeContract: (bytes) => putBack(directory, CONTRACT, bytes),
    whyLedOut: async (name) => {
      const reading = await readOperatorFile(directory, name, MAXIMUM_BYTES)
      if (reading.ok || reading.code !== 'LED_OUT') return null
      return `Nothing is read from ${join(directory, name)}: ${explainCode(reading.code)} The previous version stays in effect.`
    },
    formerContract: async () =>
      bytesOf(await readBoundedFile(join(dataDirectory, 'contract-seen.md'), MAXIMUM_BYTES)),
    readConfiguration: () => bytesIn(CONFIGURATION),
    writeConfiguration: (bytes) => putBack(directory, CONFIGURATION, bytes),
  })
}

/** Writes the bytes. Keeps a link within the repository, but replaces any other, because an agent may have made it. */
async function putBack(directory: string, name: string, bytes: Buffer): Promise<void> {
  const reading = await readOperatorFile(directory, name, MAXIMUM_BYTES)
  await replaceOperatorFile(directory, name, bytes, reading.ok ? reading.mode : NEW_FILE_MODE, {
    replacesLinks: !reading.ok,
  })
}
