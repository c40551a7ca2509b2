import { quote } from 'shlex'
import type { SettingValue } from '../../../../../api/schemas/configuration.ts'
import { PROBE_SETTINGS, PROBE_SOURCES, type ProbeSource } from '../../../../../core/configuration/checks.ts'
import { commandWords } from '../../../../../core/text/command-words.ts'

/** An example for each source. */
export const PLACEHOLDERS: Readonly<Record<ProbeSource, string>> = {
  command: './count-mail --unread',
  file: 'notes/count.txt',
  url: 'http://127.0.0.1:8080/health',
}

/** Returns the form's label for a source. */
export const labelOf = (source: ProbeSource): string => PROBE_SETTINGS[source].label ?? source

export const isSource = (key: string): key is ProbeSource => key in PLACEHOLDERS

type Values = Readonly<Record<string, SettingValue>>

/** Returns the names of the probes that a text defines, in order. */
export function probeNames(values: Values): readonly string[] {
  const names = Object.keys(values).flatMap((name) => /^probes\.([^.]+)\./.exec(name)?.[1] ?? [])
  return [...new Set(names)]
}

/** Returns a probe's source; the first one if it has several by mistake. */
export function sourceOf(name: string, values: Values): ProbeSource | null {
  return PROBE_SOURCES.find((source) => values[`probes.${name}.${source}`] !== undefined) ?? null
}

/** Converts a value from one source to another; the file's parser decides whether it makes sense there. */
export function carriedOver(value: SettingValue | undefined, to: ProbeSource): SettingValue {
  const text = Array.isArray(value) ? value.map((word) => quote(String(word))).join(' ') : String(value ?? '')
  return to === 'command' ? commandWords(text) : text
}
