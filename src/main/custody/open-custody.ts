import { randomUUID } from 'node:crypto'
import { lstat, realpath } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { readBoundedFile, replaceFile } from '../files/bounded-file.ts'
import type { AgentsAtWork } from './agents-at-work.ts'
import { createContractCustody, type WorkspaceCustody } from './contract-custody.ts'
import type { CustodyOptions } from './contract-parts.ts'
import { createTextStore } from './text-store.ts'

const MAXIMUM_BYTES = 2 * 1024 * 1024
const NEW_FILE_MODE = 0o644

/** What the custody of a workspace is opened with; the rest is its files. */
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
  /** Why the contract cannot be read, in a sentence with the remedy. */
  readonly whyUnreadable: () => Promise<string>
}

/** The custody of a workspace's two files, with its copies in the workspace's data folder. */
export function openContractCustody(options: OpenCustodyOptions): WorkspaceCustody {
  const { dataDirectory, whyUnreadable, ...rest } = options
  const { directory } = options
  const contract = join(directory, 'HEARTBEAT.md')
  const configuration = join(directory, 'pulseward.toml')
  const bytesOf = async (path: string): Promise<Buffer | null> => {
    const reading = await readBoundedFile(path, MAXIMUM_BYTES)
    return reading.ok ? reading.bytes : null
  }
  return createContractCustody({
    ...rest,
    store: createTextStore(join(dataDirectory, 'contract')),
    newId: () => `p-${randomUUID().slice(0, 8)}`,
    readContract: async () => {
      const bytes = await bytesOf(contract)
      return bytes === null ? { reason: await whyUnreadable() } : { bytes }
    },
    writeContract: (bytes) => putBack(directory, contract, bytes),
    formerContract: () => bytesOf(join(dataDirectory, 'contract-seen.md')),
    readConfiguration: () => bytesOf(configuration),
    writeConfiguration: (bytes) => putBack(directory, configuration, bytes),
  })
}

/** Writes the bytes; a link within the workspace stays one, one that leads out of it is replaced: an agent may have made it. */
async function putBack(directory: string, path: string, bytes: Buffer): Promise<void> {
  const reading = await readBoundedFile(path, MAXIMUM_BYTES)
  const mode = reading.ok ? reading.mode : NEW_FILE_MODE
  const isLink = await lstat(path).then(
    (status) => status.isSymbolicLink(),
    () => false,
  )
  const target = isLink ? await realpath(path).catch(() => path) : path
  const isInside = !relative(directory, target).startsWith('..')
  await replaceFile(isInside ? target : path, bytes, mode)
}
