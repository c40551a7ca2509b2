import { stripVTControlCharacters } from 'node:util'
import type { JsonValue } from '../../core/claims/types.ts'
import { showValue, valueAt } from '../../core/verification/values.ts'
import type { ProbeConfig } from '../ports/workspace-config.ts'
import { parseJsonText } from './json-text.ts'

export type ParsedReading =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly reason: string }

const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i

/**
 * Returns the value of a probe's text. A number must be the whole (trimmed) text: `3 mails` is not one. Ignores colors: if
 * FORCE_COLOR is set, Node.js prints even a bare number in color.
 */
export function parseReading(
  raw: string,
  { parse, path }: Pick<ProbeConfig, 'parse' | 'path'>,
): ParsedReading {
  const text = stripVTControlCharacters(raw)
  if (parse === 'text') return { ok: true, value: text.trim() }
  if (parse === 'json') return parseJson(text, path)
  if (parse === 'exit') return { ok: false, reason: 'only a command has an exit code' }
  if (parse !== 'number')
    return { ok: false, reason: 'a test report can only be read from the command that writes it' }
  const trimmed = text.trim()
  const number = DECIMAL.test(trimmed) ? Number(trimmed) : Number.NaN
  return Number.isFinite(number)
    ? { ok: true, value: number }
    : { ok: false, reason: `expected one number, read ${quote(trimmed)}` }
}

function parseJson(text: string, path: string | null): ParsedReading {
  const value = parseJsonText(text)
  if (value === undefined) return { ok: false, reason: `expected JSON, read ${quote(text.trim())}` }
  if (path === null) return { ok: true, value }
  const found = valueAt(value, path.split('.'))
  return found === undefined
    ? { ok: false, reason: `there is no ${path} in ${showValue(value)}` }
    : { ok: true, value: found }
}

function quote(text: string): string {
  return text === '' ? 'nothing' : JSON.stringify(text.length > 100 ? `${text.slice(0, 99)}…` : text)
}
