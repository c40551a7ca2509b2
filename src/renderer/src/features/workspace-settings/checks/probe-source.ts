import { quote } from 'shlex'
import type { SettingValue } from '../../../../../api/schemas/configuration.ts'
import { PROBE_SETTINGS, PROBE_SOURCES, type ProbeSource } from '../../../../../core/configuration/checks.ts'
import { commandWords } from '../../../../../core/text/command-words.ts'

/** What each source may look like. */
export const PLACEHOLDERS: Readonly<Record<ProbeSource, string>> = {
  command: './count-mail --unread',
  file: 'notes/count.txt',
  url: 'http://127.0.0.1:8080/health',
}

/** What the form calls it. */
export const labelOf = (source: ProbeSource): string => PROBE_SETTINGS[source].label ?? source

export const isSource = (key: string): key is ProbeSource => key in PLACEHOLDERS

type Values = Readonly<Record<string, SettingValue>>

/** Names of the probes that a text sets, in its order. */
export function probeNames(values: Values): readonly string[] {
  const names = Object.keys(values).flatMap((name) => /^probes\.([^.]+)\./.exec(name)?.[1] ?? [])
  return [...new Set(names)]
}

/** Which source a probe has, the first where a mistake gave it several. */
export function sourceOf(name: string, values: Values): ProbeSource | null {
  return PROBE_SOURCES.find((source) => values[`probes.${name}.${source}`] !== undefined) ?? null
}

/** What was read from one source, written for another; whether it makes sense there is for the file's own parser. */
export function carriedOver(value: SettingValue | undefined, to: ProbeSource): SettingValue {
  const text = Array.isArray(value) ? value.map((word) => quote(String(word))).join(' ') : String(value ?? '')
  return to === 'command' ? commandWords(text) : text
}
