import { join } from 'node:path'
import { RequestProblem } from '../../api/request-problem.ts'
import { createBeneath, groundOf } from '../files/beneath.ts'
import { readOperatorFile, replaceOperatorFile } from '../files/operator-file.ts'
import { sha256 } from '../files/sha256.ts'
import { explainCode } from '../files/storage-error.ts'
import { MAXIMUM_CONFIG_BYTES, tooLarge } from './parse-config.ts'

const CONFIG_NAME = 'pulseward.toml'
/** The usual mode of a new text file. */
const NEW_FILE_MODE = 0o644

/** The editable text of `pulseward.toml`. */
export interface ConfigurationFile {
  readonly path: string
  readonly text: string
  /** SHA-256 of the bytes in hex; `null` if there is no file. */
  readonly hash: string | null
  /** Why it cannot be edited in the app; `null`: it can. */
  readonly unreadable: string | null
}

/** Reads the current file. Never rejects. */
export async function readConfigurationFile(directory: string): Promise<ConfigurationFile> {
  const path = join(directory, CONFIG_NAME)
  const reading = await readOperatorFile(directory, CONFIG_NAME, MAXIMUM_CONFIG_BYTES)
  if (!reading.ok) {
    if (reading.code === 'ENOENT') return { path, text: '', hash: null, unreadable: null }
    const why = reading.code === 'TOO_LARGE' ? tooLarge(reading.sizeBytes).message : explainCode(reading.code)
    return { path, text: '', hash: sha256(''), unreadable: `Cannot read ${path}: ${why}` }
  }
  const text = reading.bytes.toString('utf8')
  const isUtf8 = Buffer.from(text, 'utf8').equals(reading.bytes)
  const unreadable = isUtf8 ? null : `${path} is not UTF-8 text. Convert it to UTF-8 first.`
  return { path, text, hash: sha256(reading.bytes), unreadable }
}

/**
 * Writes the text, as a new file if `expectedHash` is `null`. Rejects with a `RequestProblem`: `conflict` if the file no longer
 * has `expectedHash`, `unprocessable` if it cannot be read or written. A link in the repository stays a link.
 */
export async function writeConfigurationFile(
  directory: string,
  text: string,
  expectedHash: string | null,
): Promise<void> {
  const found = await readConfigurationFile(directory)
  if (found.unreadable !== null) throw new RequestProblem('unprocessable', found.unreadable)
  if (found.hash !== expectedHash) {
    const what = found.hash === null ? 'is gone' : 'has changed since it was read'
    throw new RequestProblem('conflict', `${found.path} ${what}. Look at it again first.`)
  }
  if (Buffer.byteLength(text) > MAXIMUM_CONFIG_BYTES) {
    throw new RequestProblem('unprocessable', tooLarge(Buffer.byteLength(text)).message)
  }
  if (expectedHash === null) return createBeneath(groundOf(directory), CONFIG_NAME, text, NEW_FILE_MODE)
  const reading = await readOperatorFile(directory, CONFIG_NAME, MAXIMUM_CONFIG_BYTES)
  await replaceOperatorFile(directory, CONFIG_NAME, text, reading.ok ? reading.mode : NEW_FILE_MODE)
}
