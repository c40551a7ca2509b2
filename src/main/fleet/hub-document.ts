import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { RequestProblem } from '../../api/request-problem.ts'
import { hostNameSchema, publicKeySchema } from '../../core/fleet/names.ts'
import { OPERATOR_ROLES } from '../../core/vocabulary/fleet.ts'
import { writeFileAtomically } from '../files/durable-file.ts'
import { errorCode } from '../files/storage-error.ts'
import { lockFolder } from '../ledger/folder-lock.ts'

const hubKeySchema = z.object({
  name: hostNameSchema,
  key: publicKeySchema,
  role: z.enum(['host', ...OPERATOR_ROLES]),
  addedAt: z.string(),
  revokedAt: z.string().nullable(),
  /** For an operator: the key that signs requests; older entries have none. */
  signing: publicKeySchema.nullable().default(null),
})

/** `hub.json`: who may connect to the hub. Contains public keys only. */
const hubDocumentSchema = z.object({
  v: z.literal(1),
  /** The `HOST:PORT` that hosts connect to. */
  address: z.string(),
  centre: publicKeySchema,
  /** The key that certifies operators; an older hub has none before its first operator. */
  authority: publicKeySchema.nullable().default(null),
  keys: z.array(hubKeySchema).max(100_000),
})

export type HubKey = z.infer<typeof hubKeySchema>
export type HubDocument = z.infer<typeof hubDocumentSchema>

export const hubPath = (directory: string): string => join(directory, 'hub.json')

/** Rejects with a `RequestProblem` if the folder has no hub, or an invalid one. */
export async function readHub(directory: string): Promise<HubDocument> {
  const path = hubPath(directory)
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    const code = errorCode(error)
    throw new RequestProblem(
      code === 'ENOENT' ? 'not-found' : 'unprocessable',
      code === 'ENOENT'
        ? `There is no hub in ${directory}. Create one with \`pulseward fleet hub --address HOST:PORT\`.`
        : `${path} can't be read (${code}).`,
    )
  })
  try {
    return hubDocumentSchema.parse(JSON.parse(text))
  } catch (error) {
    throw new RequestProblem(
      'unprocessable',
      `${path} was not written by Pulseward: restore it from a backup, or create a new hub in another folder.`,
      { cause: error },
    )
  }
}

export async function writeHub(directory: string, hub: HubDocument): Promise<void> {
  await writeFileAtomically(hubPath(directory), `${JSON.stringify(hub, null, 2)}\n`)
}

/** How often to check whether another administrator's change has finished. */
const LOOK_MS = 20
const PATIENCE_MS = 30_000

/**
 * Runs work that reads, changes and writes the document, while no one else does. On a system without locks, two simultaneous changes may
 * still lose one. Rejects with a `RequestProblem` of kind `conflict` if the other one does not finish.
 */
export async function changingHub<T>(directory: string, work: () => Promise<T>): Promise<T> {
  // A missing file cannot be locked; reading it reports that.
  await readHub(directory)
  const untilMs = performance.now() + PATIENCE_MS
  for (;;) {
    const locking = await lockFolder(directory)
    if (locking.kind === 'unknown') return work()
    if (locking.kind === 'held') return work().finally(() => locking.lock.release())
    if (performance.now() > untilMs)
      throw new RequestProblem(
        'conflict',
        `Another command has been changing the hub in ${directory} for ${PATIENCE_MS / 1000} seconds. Check what it is, then try again.`,
      )
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}
