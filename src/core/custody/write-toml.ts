import { formatTomlKey, formatTomlValue, type TomlInput } from '../text/toml-format.ts'

/** Returns a table as TOML, its values before the tables below it; `null` if it contains values that can't be written back (dates). */
export function writeToml(table: Record<string, unknown>): string | null {
  try {
    return sections(table, []).join('\n')
  } catch {
    return null
  }
}

function sections(table: Record<string, unknown>, path: readonly string[]): readonly string[] {
  const entries = Object.entries(table)
  const lines = entries.flatMap(([key, value]) =>
    isTable(value) ? [] : [`${formatTomlKey(key)} = ${inline(value)}\n`],
  )
  const below = entries.flatMap(([key, value]) => (isTable(value) ? sections(value, [...path, key]) : []))
  if (lines.length === 0 && (below.length > 0 || path.length === 0)) return below
  const header = path.length === 0 ? '' : `[${path.map(formatTomlKey).join('.')}]\n`
  return [`${header}${lines.join('')}`, ...below]
}

function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`
  if (isTable(value)) {
    const entries = Object.entries(value).map(([key, inner]) => `${formatTomlKey(key)} = ${inline(inner)}`)
    return `{ ${entries.join(', ')} }`
  }
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    throw new TypeError('only tables, lists, texts, numbers and truth values are written')
  return formatTomlValue(value satisfies TomlInput, '', '\n')
}

/** Returns whether a value is an object of keys and values, as in JSON and TOML: neither a list nor a date. */
export function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}
