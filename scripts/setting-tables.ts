import { APP_SECTIONS, FILE_SECTIONS, type SettingSection } from '../src/core/configuration/sections.ts'
import type { Setting } from '../src/core/configuration/setting.ts'
import { COMPLEXITY_LEVELS } from '../src/core/vocabulary/complexity.ts'

/*
 * Writes the tables of docs/configuration.md. Each is between two marks, `<!-- settings NAME -->` and `<!-- /settings -->`, and
 * is generated from the rows of the settings. Everything else in the document is written by hand.
 */

const MARKED = /<!-- settings (\S+) -->\n(?:[\s\S]*?\n)??<!-- \/settings -->/g

/**
 * Returns the document with its tables generated from the settings. Throws if a mark names no section, or a section has no
 * place.
 */
export function withSettingTables(document: string): string {
  const tables = settingTables()
  const written = document.replace(MARKED, (_, name: string) => {
    const table = tables.get(name)
    if (table === undefined) throw new Error(`There are no settings ${name}, or they appear twice.`)
    tables.delete(name)
    return `<!-- settings ${name} -->\n${table}\n<!-- /settings -->`
  })
  const missing = [...tables.keys()]
  if (missing.length > 0)
    throw new Error(`No place in the document for the settings of ${missing.join(', ')}.`)
  return written
}

/** Returns the tables by the name of their mark. The complexity levels share one table, with their defaults in one cell. */
function settingTables(): Map<string, string> {
  const isLevel = ({ name }: SettingSection) => name.startsWith(LEVELS)
  return new Map([
    ...FILE_SECTIONS.filter((section) => !isLevel(section)).map((section): [string, string] => [
      section.name,
      tableOf(rowsOf(section)),
    ]),
    ['adaptive_timeout.complexity', tableOf(levelRows(FILE_SECTIONS.filter(isLevel)))],
    [
      'settings.json',
      tableOf(
        APP_SECTIONS.flatMap((section) => rowsOf(section, section.name === '' ? '' : `${section.name}.`)),
      ),
    ],
  ])
}

const LEVELS = 'adaptive_timeout.complexity.'

function tableOf(rows: readonly string[]): string {
  return ['| key | type | default | meaning |', '|---|---|---|---|', ...rows].join('\n')
}

function rowsOf({ settings }: SettingSection, prefix = ''): string[] {
  return Object.entries(settings).map(([key, row]) => rowOf(prefix + key, row, defaultOf(row)))
}

function levelRows(levels: readonly SettingSection[]): string[] {
  const [first] = levels
  return Object.entries(first?.settings ?? {}).map(([key, row]) => {
    const defaults = levels.map(({ settings }) => defaultOf(settings[key] ?? row))
    const [one] = new Set(defaults)
    const isOne = new Set(defaults).size === 1
    const each = COMPLEXITY_LEVELS.map((level, index) => `${level}: ${defaults[index]}`).join('; ')
    return rowOf(key, row, isOne ? (one ?? '') : each)
  })
}

function rowOf(key: string, { type, meaning }: Setting, inForce: string): string {
  const cells = [`\`${key}\``, type, inForce, meaning]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

function defaultOf({ default: value, defaultWords }: Setting): string {
  if (defaultWords !== undefined) return defaultWords
  if (value === undefined) return ''
  if (typeof value === 'number') return String(value).replace('-', '−')
  if (typeof value === 'boolean' || value === null) return String(value)
  return `\`${JSON.stringify(value).replaceAll('","', '", "')}\``
}
