import {
  type ConfigurationReport,
  type SettingValue,
  settingValueSchema,
} from '../../api/schemas/configuration.ts'
import type { Trust } from '../../core/read-model/trust.ts'
import { readToml, type TomlPath, type TomlTable, type TomlValue } from '../../core/text/toml-document.ts'
import type { ConfigProblem } from '../ports/workspace-config.ts'
import { configFileSchema } from './config-schema.ts'
import { describeConfigText } from './describe.ts'
import { excessOf } from './parse-config.ts'
import { locatedProblems } from './schema-problems.ts'

export interface TextReport {
  /** In the order of the file; `path` is the setting's name with dots, `null` if the text is not TOML. */
  readonly problems: readonly (ConfigProblem & { readonly path: string | null })[]
  /** What the text sets, by the setting's name with dots. */
  readonly values: Readonly<Record<string, SettingValue>>
  /** Settings whose value is not a `SettingValue`. */
  readonly inFileOnly: readonly string[]
}

/** Returns what a text sets and what is wrong in it, using the supervisor's own schema. Never throws. */
export function reportOnText(text: string): TextReport {
  const excess = excessOf(text)
  if (excess !== null) return { problems: [{ ...excess, path: null }], values: {}, inFileOnly: [] }
  const toml = readToml(text.replace(/^\uFEFF/, ''))
  if (!toml.ok) return { problems: [{ ...toml.problem, path: null }], values: {}, inFileOnly: [] }
  const { document } = toml
  const parsed = configFileSchema.safeParse(document.root)
  const problems = parsed.success ? [] : locatedProblems(parsed.error, document)
  return {
    problems: problems.map(({ path, ...problem }) => ({ ...problem, path: settingName(path) })),
    values: Object.fromEntries(leaves(document.root)),
    inFileOnly: onlyInFile(document.root),
  }
}

/** Returns every setting of a text by its name with dots, as JSON; `null` if the text is not TOML. */
export function settingTexts(text: string): ReadonlyMap<string, string> | null {
  const toml = readToml(text.replace(/^\uFEFF/, ''))
  if (!toml.ok) return null
  const settings = new Map<string, string>()
  const gather = (value: TomlValue, name: string): void => {
    if (!isTable(value)) settings.set(name, JSON.stringify(value))
    else for (const [key, each] of Object.entries(value)) gather(each, name === '' ? key : `${name}.${key}`)
  }
  gather(toml.document.root, '')
  return settings
}

/** Returns the defaults for settings that a file does not set, by the setting's name with dots. */
export function configurationDefaults(): Readonly<Record<string, SettingValue>> {
  const { agent, ...file } = configFileSchema.parse({ agent: { command: ['agent'] } })
  // A command has no default; the agent's other settings do.
  const { command: _named, ...agentSettings } = agent
  return Object.fromEntries(leaves({ ...file, agent: agentSettings } as unknown as TomlValue))
}

/** Returns the setting's name up to the first list position, because the form shows a list as one setting. */
function settingName(path: TomlPath): string {
  const end = path.findIndex((part) => typeof part === 'number')
  return path.slice(0, end === -1 ? path.length : end).join('.')
}

/** Returns what a form can set, by name. */
function leaves(value: TomlValue, name = ''): [string, SettingValue][] {
  if (isTable(value)) return inside(value, name, leaves)
  const { success, data } = settingValueSchema.safeParse(value)
  return success ? [[name, data]] : []
}

/** Returns the names of settings that can only be edited in the file: too deep, too long, or not a finite number. */
function onlyInFile(value: TomlValue, name = ''): string[] {
  if (isTable(value)) return inside(value, name, onlyInFile)
  return settingValueSchema.safeParse(value).success ? [] : [name]
}

function isTable(value: TomlValue): value is TomlTable {
  return typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date)
}

function inside<T>(table: TomlTable, name: string, of: (value: TomlValue, name: string) => T[]): T[] {
  return Object.entries(table).flatMap(([key, each]) => of(each, name === '' ? key : `${name}.${key}`))
}

/** Returns a text with what it sets, its problems, and what it would run compared with what is approved. */
export function configurationReport(
  text: string,
  approvedText: string | null,
  refusal: string | null,
  /** Hex SHA-256 of the text. */
  textHash: string,
): ConfigurationReport {
  const { problems, values, inFileOnly } = reportOnText(text)
  const trust: Trust = {
    state: approvedText === null ? 'unapproved' : approvedText === text ? 'approved' : 'changed',
    commands: describeConfigText(text, approvedText),
    hash: textHash,
    text,
    approvedText,
    problems: problems.map(({ message, line, column }) => ({ message, line, column })),
    reason: null,
    checks: [],
  }
  return {
    text,
    textHash,
    problems: [...problems],
    values: { ...values },
    defaults: { ...configurationDefaults() },
    inFileOnly: [...inFileOnly],
    trust,
    refusal,
  }
}
