import { useState } from 'react'
import type { Settings } from '../../../../api/schemas/settings.ts'
import { APP_SETTINGS } from '../../../../core/configuration/app.ts'
import type { Setting } from '../../../../core/configuration/setting.ts'
import { ToggleField } from '../../ui/toggle-field.tsx'
import { NumberSetting } from './setting-row.tsx'
import styles from './settings.module.css'
import type { ChangeSettings } from './use-settings.ts'

export type AppSettingName = keyof typeof APP_SETTINGS

export const APP_SETTING_NAMES = Object.keys(APP_SETTINGS) as readonly AppSettingName[]

/** One setting of the app, as its row says. */
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
          schema={row.schema}
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
        <fieldset className={styles.group}>
          <legend className={styles.legend}>{label}</legend>
          <div className={styles.choices}>
            {row.control.options.map(([option, words]) => (
              <label key={option} className={styles.choice}>
                <input
                  type="radio"
                  name={name}
                  checked={value === option}
                  onChange={() => void write(option)}
                />
                {words}
              </label>
            ))}
          </div>
          {problem !== null && (
            <p className={styles.problem} role="alert">
              {problem}
            </p>
          )}
        </fieldset>
      )
    default:
      return null
  }
}
