import { basename, dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { RequestProblem } from '../../api/request-problem.ts'
import { type FileReading, readBoundedFile } from '../files/bounded-file.ts'
import { isFolderThere } from '../files/durable-file.ts'
import { readOperatorFile, replaceOperatorFile } from '../files/operator-file.ts'
import { sha256 } from '../files/sha256.ts'
import { explainCode } from '../files/storage-error.ts'

/** The contract's file name. */
export const CONTRACT_NAME = 'HEARTBEAT.md'

/** Far beyond any contract a person maintains; it limits what an agent can make us parse. */
export const MAXIMUM_CONTRACT_BYTES = 2 * 1024 * 1024

/** Much longer than an editor needs from emptying a file to filling it. */
const SETTLING_MS = 60

/** The usual mode of a new text file. */
const NEW_FILE_MODE = 0o644

export type ContractFileReading =
  | {
      readonly ok: true
      readonly path: string
      readonly text: string
      /** SHA-256 of the file's bytes in hex. */
      readonly hash: string
      /** The bytes are not UTF-8: `text` shows U+FFFD instead, and writing it would lose them. */
      readonly lossy: boolean
    }
  /** One sentence: what is wrong, where, and how to fix it. */
  | { readonly ok: false; readonly path: string; readonly reason: string }

/** Reads a workspace's current contract. Never rejects. */
export async function readContractFile(directory: string): Promise<ContractFileReading> {
  const reading = await readContractAt(join(directory, CONTRACT_NAME))
  if (reading.ok || (await isFolderThere(directory))) return reading
  const reason = `The folder ${directory} does not exist. Restore the folder, or remove the workspace.`
  return { ...reading, reason }
}

/** Like `readContractFile`, for a file with any name that the operator gives; outside a workspace it may be any link. */
export async function readContractAt(path: string): Promise<ContractFileReading> {
  const isOfWorkspace = basename(path) === CONTRACT_NAME
  const reading = await readSettled(() =>
    isOfWorkspace
      ? readOperatorFile(dirname(path), CONTRACT_NAME, MAXIMUM_CONTRACT_BYTES)
      : readBoundedFile(path, MAXIMUM_CONTRACT_BYTES),
  )
  if (!reading.ok) return { ok: false, path, reason: reasonFor(path, reading.code, reading.sizeBytes) }
  const { text, lossy } = decode(reading.bytes)
  return { ok: true, path, text, hash: sha256(reading.bytes), lossy }
}

/** Rereads an empty file before trusting it, because a writer in place empties the file first. */
async function readSettled(read: () => Promise<FileReading>): Promise<FileReading> {
  const reading = await read()
  if (!reading.ok || reading.bytes.length > 0) return reading
  await setTimeout(SETTLING_MS)
  return read()
}

/**
 * Replaces the contract's text atomically and keeps its mode; a link in the repository stays one, and its target is written.
 * Rejects with a `RequestProblem`: `conflict` if the file no longer has `expectedHash`, `unprocessable` if it cannot be read or
 * written, or is not UTF-8 (writing it would lose bytes). Writes a deleted file again if `expectedHash` is empty, so that a draft
 * survives its file.
 */
export async function writeContractFile(
  directory: string,
  text: string,
  expectedHash: string,
): Promise<void> {
  const path = join(directory, CONTRACT_NAME)
  if (Buffer.byteLength(text) > MAXIMUM_CONTRACT_BYTES) {
    throw new RequestProblem('unprocessable', reasonFor(path, 'TOO_LARGE', Buffer.byteLength(text)))
  }
  const reading = await readOperatorFile(directory, CONTRACT_NAME, MAXIMUM_CONTRACT_BYTES)
  if (!reading.ok && reading.code === 'ENOENT' && expectedHash === '')
    return replaceOperatorFile(directory, CONTRACT_NAME, text, NEW_FILE_MODE)
  if (!reading.ok) {
    throw new RequestProblem('unprocessable', reasonFor(path, reading.code, reading.sizeBytes))
  }
  if (sha256(reading.bytes) !== expectedHash) {
    throw new RequestProblem('conflict', `${path} has changed since it was read. Read it again first.`)
  }
  if (decode(reading.bytes).lossy) {
    throw new RequestProblem(
      'unprocessable',
      `${path} is not UTF-8, so writing it would lose bytes. Convert it to UTF-8 first.`,
    )
  }
  await replaceOperatorFile(directory, CONTRACT_NAME, text, reading.mode)
}

function decode(bytes: Buffer): { text: string; lossy: boolean } {
  // ignoreBOM keeps the byte order mark in the text, so that an edit writes it back.
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), lossy: false }
  } catch {
    return { text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), lossy: true }
  }
}

function reasonFor(path: string, code: string, sizeBytes: number): string {
  if (code === 'ENOENT') return `There is no ${path}. Write your tasks there, under a "## Tasks" heading.`
  if (code === 'TOO_LARGE') {
    return `${path} is ${megabytes(sizeBytes)} MB; at most ${megabytes(MAXIMUM_CONTRACT_BYTES)} MB is read. Shorten it.`
  }
  return `Cannot read ${path}: ${explainCode(code)}`
}

function megabytes(bytes: number): string {
  return String(Math.round((bytes / (1024 * 1024)) * 10) / 10)
}
