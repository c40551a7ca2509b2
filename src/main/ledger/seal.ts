import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { createDirectory, writeFileAtomically } from '../files/durable-file.ts'
import { errorCode } from '../files/storage-error.ts'

/*
 * What the ledger was when it was last left, written down outside of the data folder: whoever rolls the folder back, cuts its ledger or
 * rewrites it with fitting hashes has to find this too. An agent in its sandbox cannot; one without can, and is no worse off for it.
 */

const SEAL_SCHEMA = 'pulseward.seal.v1'

/** The end of a ledger, and its packed segments. */
export interface Seal {
  readonly seq: number
  /** Of the last event's line. */
  readonly hash: string
  /** Hex SHA-256 of each packed segment's file, by its name. */
  readonly segments: Readonly<Record<string, string>>
}

const sealSchema = z.object({
  schema: z.literal(SEAL_SCHEMA),
  directory: z.string(),
  seq: z.number().int().min(0),
  hash: z.string(),
  segments: z.record(z.string(), z.string()),
  /** What did not fit, once it was found: it stands until the operator has answered. */
  broken: z.object({ at: z.string(), problems: z.array(z.string()) }).nullable(),
})

type SealFile = z.infer<typeof sealSchema>

/** Where the seals of this user's ledgers lie. */
export function sealsDirectory(
  environment: NodeJS.ProcessEnv = process.env,
  home: string = homedir(),
): string {
  const state = environment.XDG_STATE_HOME
  return join(state?.startsWith('/') === true ? state : join(home, '.local', 'state'), 'pulseward', 'seals')
}

/** The seal of the ledger in `directory` (`…/workspaces/<id>`). */
export interface SealStore {
  /** `null`: there is none, or it cannot be read; nothing follows from that. Rejects for nothing. */
  read(): Promise<SealFile | null>
  /** Rejects with a `StorageError`. */
  write(seal: Seal, broken?: SealFile['broken']): Promise<void>
  /** The operator has answered: the ledger counts as it stands. */
  forget(): Promise<void>
  /** Whether a seal is there at all. */
  exists(): boolean
}

export function sealStore(directory: string, seals: string = sealsDirectory()): SealStore {
  const place = resolve(directory)
  const path = join(seals, `${createHash('sha256').update(place).digest('hex').slice(0, 40)}.json`)
  return {
    read: async () => {
      try {
        return sealSchema.parse(JSON.parse(await readFile(path, 'utf8')))
      } catch {
        return null
      }
    },
    write: async ({ seq, hash, segments }, broken = null) => {
      await createDirectory(seals)
      const file: SealFile = { schema: SEAL_SCHEMA, directory: place, seq, hash, segments, broken }
      await writeFileAtomically(path, `${JSON.stringify(file)}\n`)
    },
    forget: async () => {
      await rm(path, { force: true }).catch((error: unknown) => {
        if (errorCode(error) !== 'ENOENT') throw error
      })
    },
    exists: () => existsSync(path),
  }
}
