import { quote } from 'shlex'
import type { SettingValue } from '../../../../../api/schemas/configuration.ts'
import { commandWords } from '../../../../../core/text/command-words.ts'

/** What a probe may read. */
export const SOURCES = {
  command: { label: 'Program', placeholder: './count-mail --unread' },
  file: { label: 'File', placeholder: 'notes/count.txt' },
  url: { label: 'Address', placeholder: 'http://127.0.0.1:8080/health' },
} as const

export type Source = keyof typeof SOURCES

export const isSource = (key: string): key is Source => key in SOURCES

type Values = Readonly<Record<string, SettingValue>>

/** Names of the probes that a text sets, in its order. */
export function probeNames(values: Values): readonly string[] {
  const names = Object.keys(values).flatMap((name) => /^probes\.([^.]+)\./.exec(name)?.[1] ?? [])
  return [...new Set(names)]
}

/** Which source a probe has, the first where a mistake gave it several. */
export function sourceOf(name: string, values: Values): Source | null {
  const sources = Object.keys(SOURCES).filter(isSource)
  return sources.find((source) => values[`probes.${name}.${source}`] !== undefined) ?? null
}

/** What was read from one source, written for another; whether it makes sense there is for the file's own parser. */
export function carriedOver(value: SettingValue | undefined, to: Source): SettingValue {
  const text = Array.isArray(value) ? value.map((word) => quote(String(word))).join(' ') : String(value ?? '')
  return to === 'command' ? commandWords(text) : text
}
