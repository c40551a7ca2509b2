import { quote, split } from 'shlex'
import type { SettingValue } from '../../../../api/schemas/configuration.ts'
import { secondsOf } from '../../../../core/pacing/duration-words.ts'
import type { Field } from './fields.ts'

/** Returns the field's text for a value of the file. */
export function textOf(kind: Field['kind'], value: SettingValue | undefined): string {
  if (value === undefined) return ''
  if (!Array.isArray(value)) return String(value)
  if (kind === 'command') return value.map((word) => quote(String(word))).join(' ')
  return value.map((each) => (Array.isArray(each) ? each.map(quote).join(' ') : String(each))).join('\n')
}

/**
 * Parses a field's text: returns the value, `null` for none, or the problem as a sentence. The file's parser decides whether a value is
 * valid, so text that is not a number is passed on unchanged.
 */
export function valueFor(
  kind: Field['kind'],
  text: string,
  /** The unit of a number. */
  unit?: string,
): { readonly value: SettingValue | null } | { readonly problem: string } {
  const trimmed = text.trim()
  if (trimmed === '') return { value: null }
  switch (kind) {
    case 'number': {
      // Also accept a typographic minus sign.
      const number = Number(trimmed.replace('−', '-'))
      return { value: Number.isFinite(number) ? number : (durationIn(unit, trimmed) ?? trimmed) }
    }
    case 'lines':
      return { value: linesOf(text) }
    case 'command':
      return words(text, (list) => list)
    case 'commands':
      return words(text, (_, lines) => lines.map((line) => split(line)))
    case 'text':
    case 'choice':
    case 'toggle':
      return { value: trimmed }
  }
}

/** The length in seconds of each unit for durations. */
const UNIT_SECONDS: Readonly<Record<string, number>> = { seconds: 1, minutes: 60, hours: 3600 }

/** Returns the duration `20m`, `1h` or `20:15` in this unit; `null` if it is not a unit of time, or not a duration. */
function durationIn(unit: string | undefined, text: string): number | null {
  const seconds = secondsOf(text)
  const size = unit === undefined ? undefined : UNIT_SECONDS[unit]
  return seconds === null || size === undefined ? null : seconds / size
}

function words(
  text: string,
  take: (words: string[], lines: string[]) => SettingValue,
): { readonly value: SettingValue } | { readonly problem: string } {
  try {
    return { value: take(split(text), linesOf(text)) }
  } catch {
    return { problem: 'A quote isn’t closed.' }
  }
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
