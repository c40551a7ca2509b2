import { join } from 'node:path'
import { RequestProblem } from '../../api/request-problem.ts'
import {
  type Settings,
  type SettingsChanges,
  type SettingsDocument,
  settingsSchema,
} from '../../api/schemas/settings.ts'
import { isObject } from '../../core/text/json.ts'
import { readBoundedFile, replaceFile } from '../files/bounded-file.ts'
import { setAside } from '../files/durable-file.ts'
import { sha256 } from '../files/sha256.ts'
import { explainCode, isOfTheMoment } from '../files/storage-error.ts'
import type { Log } from '../ports/log.ts'
import { createSerializer } from '../process/serialize.ts'

const MAXIMUM_BYTES = 64 * 1024

/** Reads and writes `settings.json`. */
export interface SettingsStore {
  /** The settings as last read or written. */
  readonly current: Settings
  /** Reads the current file, which may have been edited by hand. Never rejects for its content. */
  read(): Promise<SettingsDocument>
  /**
   * Writes the changes into the file, keeping every field that is not ours. Rejects with a `RequestProblem`: `conflict` if the
   * file no longer has `hash`, `bad-request` if the result is not valid, `unprocessable` if it cannot be written.
   */
  change(changes: SettingsChanges, hash: string): Promise<SettingsDocument>
}

interface Reading {
  readonly settings: Settings
  /** All fields of the file, including those that are not ours. */
  readonly fields: JsonObject
  readonly hash: string
  readonly mode: number
  /** True if the file could not be read right now: it must not be overwritten. */
  readonly isKept?: boolean
}

type JsonObject = { readonly [key: string]: unknown }

/**
 * Opens the settings, with the defaults if the file is missing. An unusable file is set aside, logged, and replaced by the
 * defaults; `tell` notifies the operator, because their limits and quiet hours are lost with it. Never rejects.
 */
export async function openSettings(
  dataDirectory: string,
  log: Log,
  tell: (reason: string) => void = () => {},
): Promise<SettingsStore> {
  const path = join(dataDirectory, 'settings.json')
  const read = (): Promise<Reading> => readFile(path, log, tell)
  let current = (await read()).settings
  /** Makes one change at a time, because two at once would overwrite each other. */
  const serialize = createSerializer()
  const document = (settings: Settings, hash: string): SettingsDocument => {
    current = settings
    return { settings, hash, path, dataDirectory }
  }
  const write = async (wanted: SettingsChanges, hash: string): Promise<SettingsDocument> => {
    const found = await read()
    if (found.isKept) {
      throw new RequestProblem('unprocessable', `${path} can't be read right now. Try again in a moment.`)
    }
    if (found.hash !== hash) {
      throw new RequestProblem('conflict', `${path} has changed since it was read. Read it again first.`)
    }
    const fields = merged(found.fields, wanted)
    const parsed = settingsSchema.safeParse(fields)
    if (!parsed.success) throw new RequestProblem('bad-request', firstIssue(parsed.error))
    const text = `${JSON.stringify(fields, null, 2)}\n`
    await replaceFile(path, text, found.mode)
    return document(parsed.data, sha256(text))
  }
  return {
    get current() {
      return current
    },
    read: async () => {
      const { settings, hash, isKept } = await read()
      return document(isKept ? current : settings, hash)
    },
    change: (wanted, hash) => serialize(() => write(wanted, hash)),
  }
}

async function readFile(path: string, log: Log, tell: (reason: string) => void): Promise<Reading> {
  const missing: Reading = { settings: settingsSchema.parse({}), fields: {}, hash: sha256(''), mode: 0o600 }
  const reading = await readBoundedFile(path, MAXIMUM_BYTES)
  if (!reading.ok && reading.code === 'ENOENT') return missing
  if (!reading.ok && isOfTheMoment(reading.code)) {
    log.warn(`${path} cannot be read: ${explainCode(reading.code)} The last known settings apply.`)
    return { ...missing, isKept: true }
  }
  const parsed = reading.ok ? parseFile(reading.bytes.toString('utf8')) : explainCode(reading.code)
  if (reading.ok && typeof parsed !== 'string') {
    return { ...parsed, hash: sha256(reading.bytes), mode: reading.mode }
  }
  const aside = await setAside(path, Date.now())
  const reason = `${path} cannot be used: ${parsed} The defaults apply${aside === null ? '' : `; it is now ${aside}`}.`
  log.warn(reason)
  tell(reason)
  return missing
}

/**
 * Returns what is wrong with `settings.json`, as one sentence; `null`: nothing, or unknown right now. Changes nothing, and never
 * rejects.
 */
export async function settingsProblem(dataDirectory: string): Promise<string | null> {
  const path = join(dataDirectory, 'settings.json')
  const reading = await readBoundedFile(path, MAXIMUM_BYTES)
  if (!reading.ok && (reading.code === 'ENOENT' || isOfTheMoment(reading.code))) return null
  const parsed = reading.ok ? parseFile(reading.bytes.toString('utf8')) : explainCode(reading.code)
  return typeof parsed === 'string' ? `${path} cannot be used: ${parsed}` : null
}

function parseFile(text: string): Pick<Reading, 'settings' | 'fields'> | string {
  try {
    const fields: unknown = JSON.parse(text)
    const parsed = settingsSchema.safeParse(fields)
    if (parsed.success) return { settings: parsed.data, fields: fields as JsonObject }
    return `${firstIssue(parsed.error)}.`
  } catch (error) {
    return `it is not valid JSON (${error instanceof Error ? error.message : String(error)}).`
  }
}

function firstIssue(error: { readonly issues: readonly { path: PropertyKey[]; message: string }[] }): string {
  const issue = error.issues[0]
  return `${issue?.path.map(String).join('.') || 'the file'}: expected ${issue?.message ?? 'something else'}`
}

/** Merges `changes` into `fields`, table by table; other fields stay, in their order. */
function merged(fields: JsonObject, changes: JsonObject): JsonObject {
  // From entries, so that a key `__proto__` in the file stays a key.
  const known = new Map(Object.entries(fields))
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) continue
    const before = known.get(name)
    known.set(name, isObject(value) && isObject(before) ? merged(before, value) : value)
  }
  return Object.fromEntries(known)
}
