import { PROBE_SETTINGS } from '../../../../core/configuration/checks.ts'
import { FILE_SECTIONS, type SettingSection } from '../../../../core/configuration/sections.ts'
import type { Control } from '../../../../core/configuration/setting.ts'

/** How a setting appears in the form. */
export type Field = {
  /** For example `heartbeat.interval_minutes`; its parts are the path in the file. */
  readonly name: string
  readonly label: string
  readonly hint?: string | undefined
} & Control

export interface FieldGroup {
  readonly title: string
  readonly lead?: string | undefined
  /** Rarely changed: folded until opened. */
  readonly isFolded?: boolean | undefined
  readonly fields: readonly Field[]
}

/** The form: every setting that has a label, under the heading of its section. */
export const FIELD_GROUPS: readonly FieldGroup[] = groupsOf(FILE_SECTIONS)

function groupsOf(whole: readonly SettingSection[]): FieldGroup[] {
  const sections = whole.flatMap(withParts)
  const titles = new Set(sections.map(({ title }) => title).filter((title) => title !== null))
  return [...titles].map((title) => {
    const ofTitle = sections.filter((section) => section.title === title)
    const lead = ofTitle.find((section) => section.lead !== undefined)?.lead
    return { title, lead, isFolded: ofTitle[0]?.isFolded, fields: ofTitle.flatMap(fieldsOf) }
  })
}

/** Returns a section without the parts that have their own heading, followed by these parts. */
function withParts({ parts = [], ...section }: SettingSection): SettingSection[] {
  const { name, settings } = section
  const pick = (isPicked: (key: string) => boolean) =>
    Object.fromEntries(Object.entries(settings).filter(([key]) => isPicked(key)))
  return [
    { ...section, settings: pick((key) => !parts.some(({ keys }) => keys.includes(key))) },
    ...parts.map(({ title, lead, keys }) => ({
      name,
      title,
      ...(lead !== undefined && { lead }),
      settings: pick((key) => keys.includes(key)),
    })),
  ]
}

/** Returns the fields of a group whose label, explanation or name in the file contains these words; all fields if there are no words. */
export function fieldsWith({ title, fields }: FieldGroup, words: string): readonly Field[] {
  const wanted = words
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '')
  return fields.filter(({ name, label, hint = '' }) => {
    const text = `${title} ${name} ${label} ${hint}`.toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
}

/** Returns one probe's settings, whose names start with `probes.NAME`. */
export function probeFields(name: string): readonly Field[] {
  return fieldsOf({ name: `probes.${name}`, settings: PROBE_SETTINGS })
}

function fieldsOf({ name: section, settings }: Pick<SettingSection, 'name' | 'settings'>): Field[] {
  return Object.entries(settings).flatMap(([key, { label, hint, control }]) =>
    label === undefined ? [] : [{ name: `${section}.${key}`, label, hint, ...control }],
  )
}
