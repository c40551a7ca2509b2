import { PROBE_SETTINGS } from '../../../../core/configuration/checks.ts'
import { FILE_SECTIONS, type SettingSection } from '../../../../core/configuration/sections.ts'
import type { Control } from '../../../../core/configuration/setting.ts'

/** How a setting is written in the form. */
export type Field = {
  /** `heartbeat.interval_minutes`; its parts are its path in the file. */
  readonly name: string
  readonly label: string
  readonly hint?: string | undefined
} & Control

export interface FieldGroup {
  readonly title: string
  readonly lead?: string | undefined
  /** Rarely changed: closed until asked for. */
  readonly isFolded?: boolean | undefined
  readonly fields: readonly Field[]
}

/** The form: every setting that has a label, below the heading of its section. */
export const FIELD_GROUPS: readonly FieldGroup[] = groupsOf(FILE_SECTIONS)

function groupsOf(sections: readonly SettingSection[]): FieldGroup[] {
  const titles = new Set(sections.map(({ title }) => title).filter((title) => title !== null))
  return [...titles].map((title) => {
    const ofTitle = sections.filter((section) => section.title === title)
    const lead = ofTitle.find((section) => section.lead !== undefined)?.lead
    return { title, lead, isFolded: ofTitle[0]?.isFolded, fields: ofTitle.flatMap(fieldsOf) }
  })
}

/** One probe's settings, whose names are below `probes.NAME`. */
export function probeFields(name: string): readonly Field[] {
  return fieldsOf({ name: `probes.${name}`, settings: PROBE_SETTINGS })
}

function fieldsOf({ name: section, settings }: Pick<SettingSection, 'name' | 'settings'>): Field[] {
  return Object.entries(settings).flatMap(([key, { label, hint, control }]) =>
    label === undefined ? [] : [{ name: `${section}.${key}`, label, hint, ...control }],
  )
}
