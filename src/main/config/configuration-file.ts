import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { RequestProblem } from '../../api/request-problem.ts'
import type { SettingValue } from '../../api/schemas/configuration.ts'
import { readBoundedFile, replaceFile } from '../files/bounded-file.ts'
import { createFile } from '../files/create-file.ts'
import { explainCode } from '../files/storage-error.ts'
import type { ConfigProblem } from '../ports/workspace-config.ts'
import { configFileSchema } from './config-schema.ts'
import { sha256 } from './contract-file.ts'
import { MAXIMUM_CONFIG_BYTES, tooLarge } from './parse-config.ts'
import { locatedProblems } from './schema-problems.ts'
import { readToml, type TomlPath, type TomlValue } from './toml-document.ts'

/** As any editor creates a text file. */
const NEW_FILE_MODE = 0o644

/** `pulseward.toml` as a text to edit. */
export interface ConfigurationFile {
  readonly path: string
  readonly text: string
  /** SHA-256 of the bytes in hex; `null` where there is no file. */
  readonly hash: string | null
  /** Why it cannot be edited here. */
  readonly unreadable: string | null
}

/** The file as it stands. Never rejects. */
export async function readConfigurationFile(directory: string): Promise<ConfigurationFile> {
  const path = join(directory, 'pulseward.toml')
  const reading = await readBoundedFile(path, MAXIMUM_CONFIG_BYTES)
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
 * Writes the text, as a new file where `expectedHash` is `null`. Rejects with a `RequestProblem`: `conflict` where the file is
 * no longer the one with `expectedHash`, `unprocessable` where it cannot be read or written. A link stays one.
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
  if (expectedHash === null) return createFile(found.path, text, NEW_FILE_MODE)
  const reading = await readBoundedFile(found.path, MAXIMUM_CONFIG_BYTES)
  await replaceFile(await realpath(found.path), text, reading.ok ? reading.mode : NEW_FILE_MODE)
}

export interface TextReport {
  /** In the order of the file; `path` is the setting's name with dots, `null` where the text is no TOML. */
  readonly problems: readonly (ConfigProblem & { readonly path: string | null })[]
  /** What the text sets, by the setting's name with dots. */
  readonly values: Readonly<Record<string, SettingValue>>
}

/** What a text sets and what is wrong in it, by the very schema that the supervisor reads it with. Never throws. */
export function reportOnText(text: string): TextReport {
  const bytes = Buffer.byteLength(text)
  if (bytes > MAXIMUM_CONFIG_BYTES) return { problems: [{ ...tooLarge(bytes), path: null }], values: {} }
  const toml = readToml(text.replace(/^\uFEFF/, ''))
  if (!toml.ok) return { problems: [{ ...toml.problem, path: null }], values: {} }
  const { document } = toml
  const parsed = configFileSchema.safeParse(document.root)
  const problems = parsed.success ? [] : locatedProblems(parsed.error, document)
  return {
    problems: problems.map(({ path, ...problem }) => ({ ...problem, path: settingName(path) })),
    values: Object.fromEntries(leaves(document.root)),
  }
}

/** Every setting of a text by its name with dots, as JSON; `null` where the text is no TOML. */
export function settingTexts(text: string): ReadonlyMap<string, string> | null {
  const toml = readToml(text.replace(/^\uFEFF/, ''))
  if (!toml.ok) return null
  const settings = new Map<string, string>()
  const gather = (value: TomlValue, name: string): void => {
    const isTable = typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date)
    if (!isTable) settings.set(name, JSON.stringify(value))
    else for (const [key, each] of Object.entries(value)) gather(each, name === '' ? key : `${name}.${key}`)
  }
  gather(toml.document.root, '')
  return settings
}

/** What counts where a file sets nothing, by the setting's name with dots. */
export function configurationDefaults(): Readonly<Record<string, SettingValue>> {
  const { agent: _named, ...file } = configFileSchema.parse({ agent: { command: ['agent'] } })
  return Object.fromEntries(leaves(file as unknown as TomlValue))
}

/** Only names that are part of a list's place are numbers; the form shows the list as one setting. */
function settingName(path: TomlPath): string {
  const end = path.findIndex((part) => typeof part === 'number')
  return path.slice(0, end === -1 ? path.length : end).join('.')
}

function leaves(value: TomlValue, name = ''): [string, SettingValue][] {
  if (typeof value !== 'object') return [[name, value]]
  if (Array.isArray(value)) return isSettable(value) ? [[name, value as SettingValue]] : []
  if (value instanceof Date) return []
  return Object.entries(value).flatMap(([key, each]) => leaves(each, name === '' ? key : `${name}.${key}`))
}

/** Lists of lists of texts at most: anything deeper is for the file itself. */
function isSettable(list: readonly TomlValue[]): boolean {
  const isScalar = (each: TomlValue): boolean => typeof each !== 'object'
  return (
    list.every(isScalar) ||
    list.every((each) => Array.isArray(each) && each.every((part) => typeof part === 'string'))
  )
}
