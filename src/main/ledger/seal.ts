import { access, constants, readdir, readFile, rm, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import pLimit from 'p-limit'
import { z } from 'zod'
import { readJson } from '../../core/text/json.ts'
import { createDirectory, writeFileAtomically } from '../files/durable-file.ts'
import { overwrite } from '../files/overwrite.ts'
import { sha256 } from '../files/sha256.ts'
import { stateDirectory } from '../files/state-directory.ts'
import { errorCode, explainCode, isOfTheMoment } from '../files/storage-error.ts'
import { type KeyStore, systemKeyStore } from '../process/key-store.ts'
import { ANNOUNCEMENT } from './announcement.ts'
import { leaveNotes, notedWorkspaces, takeNotesAway } from './notes.ts'

/*
 * The state of the ledger when it was last closed, stored outside the data folder: in a private file, and its end also in the
 * system's key store if there is one. Anyone who rolls the folder back, cuts its ledger or rewrites it with matching hashes has
 * to find these too, and the notes that other workspaces keep. A sandboxed agent cannot. One without a sandbox can, and is then
 * no worse off.
 */

const SEAL_SCHEMA = 'pulseward.seal.v1'

/** The end of a ledger, and its compressed segments. */
export interface Seal {
  readonly seq: number
  /** Hash of the last event's line. */
  readonly hash: string
  /** Hex SHA-256 of each compressed segment's file, by name. */
  readonly segments: Readonly<Record<string, string>>
  /** File metadata from `stat`, by name: what no program can preserve while changing a file. */
  readonly states?: Readonly<Record<string, string>>
  /** Problems that the operator accepted, exactly as they were reported. */
  readonly accepted?: readonly string[]
  /** True if the ledger was closed with it: until it is opened again, Pulseward records nothing. */
  readonly isClosed?: boolean
  /**
   * SHA-256 of the configuration that was approved last; of two, the later one was about to be recorded. An approval that is not
   * among them was not ours: they are sealed before being recorded. Older versions omit it.
   */
  readonly approved?: readonly string[] | undefined
  /** Events that were about to be recorded after it. Older versions omit it. */
  readonly announced?: readonly [string, string] | undefined
}

const announcementSchema = z.string().regex(ANNOUNCEMENT)

const sealSchema = z.object({
  schema: z.literal(SEAL_SCHEMA),
  directory: z.string(),
  seq: z.int().min(0),
  hash: z.string(),
  segments: z.record(z.string(), z.string()),
  states: z.record(z.string(), z.string()).default({}),
  accepted: z.array(z.string()).default([]),
  // One digit, so that it can be reset in place by a write that is atomic.
  isClosed: z
    .literal([0, 1])
    .default(0)
    .transform((digit) => digit === 1),
  approved: z.array(z.string()).optional(),
  announced: z.tuple([announcementSchema, announcementSchema]).optional(),
  /** What did not match, once found; kept until the operator has answered. */
  broken: z.object({ at: z.string(), problems: z.array(z.string()) }).nullable(),
})

export type SealFile = z.infer<typeof sealSchema>

/** Returns where the seals of this user's ledgers are stored. */
export function sealsDirectory(
  environment: NodeJS.ProcessEnv = process.env,
  home: string = homedir(),
): string {
  return join(stateDirectory(environment, home), 'seals')
}

/** Stores the seal of the ledger in `directory` (`…/workspaces/<id>`). */
export interface SealStore {
  /** Returns `null` if there is no seal or it is garbled, which proves nothing. Rejects if the machine can't read it right now. */
  read(): Promise<SealFile | null>
  /** Rejects with a `StorageError`. */
  write(seal: Seal, broken?: SealFile['broken']): Promise<void>
  /** Marks that events may now follow the sealed one. Needs no disk space. */
  reopen(): Promise<void>
  /**
   * Writes one of the two announcements so that it survives a power cut; one that says `isRecorded` may be lost in one. `false`:
   * there is no seal, or one without announcements. Needs no disk space. Rejects if the disk refuses.
   */
  announce(place: 0 | 1, text: string, isRecorded: boolean): Promise<boolean>
  /** True if it could be written to, in place or as a new file; there may be none. Changes nothing. */
  isWritable(): Promise<boolean>
  /** Records the operator's answer: the ledger counts as it is, and of its approvals only those the operator gave. */
  accept(): Promise<void>
  /** Removes everything known about the ledger. */
  forget(): Promise<void>
}

/** The part of a seal that the key store keeps. */
const keptSchema = z.object({
  seq: z.int().min(0),
  hash: z.string(),
  approved: z.array(z.string()).optional(),
})

let found: KeyStore | null | undefined

/** Returns the session's own key store, looked up once. */
function ownKeys(): KeyStore | null {
  if (found === undefined) found = systemKeyStore()
  return found
}

export function sealStore(
  directory: string,
  seals: string = sealsDirectory(),
  keys: KeyStore | null = ownKeys(),
): SealStore {
  const place = resolve(directory)
  const name = nameOfSeal(place)
  const path = join(seals, `${name}.json`)
  const readKept = async () => readJson(keptSchema, (await keys?.read(name)) ?? '')
  const read: SealStore['read'] = async () => {
    const [file, kept] = await Promise.all([readSealFile(path), readKept()])
    return newerOf(file, kept, place)
  }
  const write: SealStore['write'] = async (seal, broken = null) => {
    const { seq, hash, segments, states = {}, accepted = [], isClosed = false, approved, announced } = seal
    await createDirectory(seals)
    const file: z.input<typeof sealSchema> = {
      schema: SEAL_SCHEMA,
      // Within the disk's first sector, which is written completely or not at all.
      ...(announced !== undefined && { announced: [...announced] }),
      directory: place,
      seq,
      hash,
      segments,
      states,
      accepted: [...accepted],
      isClosed: isClosed ? 1 : 0,
      ...(approved !== undefined && { approved: [...approved] }),
      broken,
    }
    await writeFileAtomically(path, `${JSON.stringify(file)}\n`)
    if (broken !== null) return
    await keys?.write(name, JSON.stringify({ seq, hash, approved }))
    if (seq > 0) await leaveNotes(place, { seq, hash })
  }
  const forget: SealStore['forget'] = async () => {
    await keys?.forget(name)
    await takeNotesAway(place)
    await rm(path, { force: true }).catch((error: unknown) => {
      if (errorCode(error) !== 'ENOENT') throw error
    })
  }
  return {
    read,
    write,
    reopen: async () => {
      await overwrite(path, CLOSED, '0')
    },
    announce: (number, text, isRecorded) =>
      overwrite(path, ANNOUNCED, text, {
        distance: number * (text.length + '","'.length),
        isLost: isRecorded,
      }),
    // A seal that only lacks write permission can be replaced in its folder.
    isWritable: async () => {
      const refusal = await writingRefused(path)
      return refusal === null || (isForbidden(refusal) && (await writingRefused(seals)) === null)
    },
    accept: async () => {
      const before = await read()
      await forget()
      if (before?.approved === undefined) return
      const { approved, accepted, broken } = before
      const taken = [...new Set([...accepted, ...(broken?.problems ?? [])])]
      await write({ ...UNSEALED, approved, accepted: taken })
    },
    forget,
  }
}

function nameOfSeal(place: string): string {
  return sha256(place).slice(0, 40)
}

/** True if only the file's own permissions prevent the write: the folder's owner can still replace it. */
export function isForbidden(code: string): boolean {
  return code === 'EACCES' || code === 'EPERM'
}

/** Returns why a path cannot be written to, as the errno's name; `null`: it can. */
function writingRefused(path: string): Promise<string | null> {
  return access(path, constants.W_OK).then(() => null, errorCode)
}

/**
 * Returns why no seal can be written here, with the fix; `null`: it can, though the folder may have to be created first. Changes
 * nothing.
 */
export async function sealingRefused(seals: string = sealsDirectory()): Promise<string | null> {
  const code = await makingRefused(seals)
  return code === null ? null : `No seal can be written to ${seals}: ${explainCode(code)}`
}

/** Returns why nothing can be created in a folder, or in its closest existing parent. */
async function makingRefused(folder: string): Promise<string | null> {
  const status = await stat(folder).catch(errorCode)
  if (status === 'ENOENT' && dirname(folder) !== folder) return makingRefused(dirname(folder))
  if (typeof status === 'string') return status
  return status.isDirectory() ? writingRefused(folder) : 'ENOTDIR'
}

/** The seal of a ledger that was never sealed. */
export const UNSEALED: Seal = { seq: 0, hash: '', segments: {} }

/** True if the seal says nothing about the ledger's events. */
export function isUnsealed(seal: SealFile | null): boolean {
  return seal === null || (seal.seq === 0 && seal.broken === null)
}

const CLOSED = '"isClosed":'
const ANNOUNCED = '"announced":["'

/**
 * Returns the newer of the file and the key store's copy. The file may be newer, if the key store did not answer when it was written; it is
 * never older, and never missing.
 */
function newerOf(
  file: SealFile | null,
  kept: z.infer<typeof keptSchema> | null,
  place: string,
): SealFile | null {
  if (kept === null || (file !== null && file.seq > kept.seq)) return file
  if (file?.seq === kept.seq && file.hash === kept.hash) return file
  const { broken = null, accepted = [] } = file ?? {}
  return {
    schema: SEAL_SCHEMA,
    directory: place,
    ...kept,
    segments: {},
    states: {},
    accepted,
    isClosed: false,
    broken,
  }
}

async function readSealFile(path: string): Promise<SealFile | null> {
  try {
    return sealSchema.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch (error) {
    if (isOfTheMoment(error)) throw error
    return null
  }
}

/** More seals than anyone has workspaces, including those of removed ones. */
const MAX_SEALS = 20_000
const READ_AT_ONCE = 32

/**
 * Returns workspaces that were recorded in a data folder and are gone without having been removed: their ids, with how many
 * events each had. `known`: those that exist. Never rejects.
 */
export async function lostWorkspaces(
  dataDirectory: string,
  known: readonly string[],
  seals: string = sealsDirectory(),
): Promise<readonly { readonly id: string; readonly events: number }[]> {
  const home = join(resolve(dataDirectory), 'workspaces')
  const there = new Set(known.map((id) => `${nameOfSeal(join(home, id))}.json`))
  const names = await readdir(seals).catch((): string[] => [])
  const limit = pLimit(READ_AT_ONCE)
  const files = await Promise.all(
    names
      .filter((name) => name.endsWith('.json') && !there.has(name))
      .slice(0, MAX_SEALS)
      .map((name) => limit(() => readSealFile(join(seals, name)).catch(() => null))),
  )
  const sealed = files
    .filter((file) => file !== null)
    .filter(({ directory, seq }) => dirname(directory) === home && seq > 0)
    .map(({ directory, seq }) => ({ id: basename(directory), events: seq }))
  const lost = new Map<string, number>()
  for (const { id, events } of [...sealed, ...(await notedWorkspaces(dataDirectory, known))])
    if (!known.includes(id)) lost.set(id, Math.max(events, lost.get(id) ?? 0))
  return [...lost].map(([id, events]) => ({ id, events }))
}
