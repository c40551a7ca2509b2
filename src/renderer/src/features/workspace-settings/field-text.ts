import { quote, split } from 'shlex'
import type { SettingValue } from '../../../../api/schemas/configuration.ts'
import type { Field } from './fields.ts'

/** What stands in the field for a value of the file. */
export function textOf(kind: Field['kind'], value: SettingValue | undefined): string {
  if (value === undefined) return ''
  if (!Array.isArray(value)) return String(value)
  if (kind === 'command') return value.map((word) => quote(String(word))).join(' ')
  return value.map((each) => (Array.isArray(each) ? each.map(quote).join(' ') : String(each))).join('\n')
}

/**
 * The value that a field's text means, `null` for none; or what keeps it from being one, in words. Whether a value is right is
 * for the file's own parser: what is no number goes there as the text it is.
 */
export function valueFor(
  kind: Field['kind'],
  text: string,
): { readonly value: SettingValue | null } | { readonly problem: string } {
  const trimmed = text.trim()
  if (trimmed === '') return { value: null }
  switch (kind) {
    case 'number': {
      // A pasted minus sign is one, too.
      const number = Number(trimmed.replace('−', '-'))
      return { value: Number.isFinite(number) ? number : trimmed }
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

function words(
  text: string,
  take: (words: string[], lines: string[]) => SettingValue,
): { readonly value: SettingValue } | { readonly problem: string } {
  try {
    return { value: take(split(text), linesOf(text)) }
  } catch {
    return { problem: 'A quote is opened and not closed.' }
  }
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
