import { useState } from 'react'
import { quote, split } from 'shlex'
import type { z } from 'zod'
import type { Settings } from '../../../../api/schemas/settings.ts'
import { APP_SETTINGS } from '../../../../core/configuration/app.ts'
import type { Setting } from '../../../../core/configuration/setting.ts'
import { TextField } from '../../ui/text-field.tsx'
import { ToggleField } from '../../ui/toggle-field.tsx'
import { ChoiceSetting, NumberSetting } from './setting-row.tsx'
import type { ChangeSettings } from './use-settings.ts'

export type AppSettingName = keyof typeof APP_SETTINGS

export const APP_SETTING_NAMES = Object.keys(APP_SETTINGS) as readonly AppSettingName[]

/** One setting of the app, as its row describes it. */
export function AppSetting({
  name,
  settings,
  change,
}: {
  name: AppSettingName
  settings: Settings
  change: ChangeSettings
}) {
  const row: Setting = APP_SETTINGS[name]
  const [problem, setProblem] = useState<string | null>(null)
  const label = row.label ?? name
  const value: unknown = settings[name]
  const write = async (next: unknown) => setProblem(await change({ [name]: next }))
  switch (row.control.kind) {
    case 'number':
      return (
        <NumberSetting
          label={label}
          hint={row.hint}
          value={Number(value)}
          schema={row.schema as z.ZodType<number>}
          onCommit={(next) => change({ [name]: next })}
        />
      )
    case 'toggle':
      return (
        <ToggleField
          label={label}
          hint={row.hint}
          problem={problem}
          checked={value === true}
          onChange={(event) => void write(event.currentTarget.checked)}
        />
      )
    case 'choice':
      return (
        <ChoiceSetting
          label={label}
          name={name}
          value={value}
          options={row.control.options}
          onChoose={(option) => change({ [name]: option })}
        />
      )
    case 'command':
      return <CommandSetting row={row} label={label} value={value} onCommit={write} problem={problem} />
    default:
      return null
  }
}

/** A program and its arguments, as typed on a command line; empty means the default. */
function CommandSetting({
  row,
  label,
  value,
  onCommit,
  problem,
}: {
  row: Setting
  label: string
  value: unknown
  onCommit: (next: unknown) => Promise<void>
  problem: string | null
}) {
  const kept = Array.isArray(value) ? value.map((word) => quote(String(word))).join(' ') : ''
  const [text, setText] = useState(kept)
  const [invalid, setInvalid] = useState<string | null>(null)
  const commit = () => {
    const words = wordsOf(text)
    if (words === undefined) return setInvalid('A quote isn’t closed.')
    const { error } = row.schema.safeParse(words)
    const said = error?.issues[0]?.message
    setInvalid(said === undefined ? null : `Expected: ${said}.`)
    if (said === undefined && text !== kept) void onCommit(words)
  }
  return (
    <TextField
      label={label}
      hint={row.hint}
      problem={invalid ?? problem}
      value={text}
      spellCheck={false}
      placeholder="code --goto {file}:{line}"
      onChange={(event) => setText(event.target.value)}
      onBlur={commit}
      onKeyDown={({ key }) => key === 'Enter' && commit()}
    />
  )
}

/** Returns `null` if there are no words, `undefined` if the text can't be split into words. */
function wordsOf(text: string): string[] | null | undefined {
  try {
    const words = split(text)
    return words.length === 0 ? null : words
  } catch {
    return undefined
  }
}
