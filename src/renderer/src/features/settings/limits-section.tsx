import type { Settings } from '../../../../api/schemas/settings.ts'
import { LIMIT_SETTINGS } from '../../../../core/configuration/app.ts'
import { ChoiceSetting, NumberSetting, Section } from './setting-row.tsx'
import styles from './settings.module.css'
import type { ChangeSettings } from './use-settings.ts'

interface LimitsProps {
  readonly limits: Settings['limits']
  readonly change: ChangeSettings
}

/** The daily limits for all workspaces together. */
export function LimitsSection({ limits, change }: LimitsProps) {
  const { label, control } = LIMIT_SETTINGS.atDailyLimit
  return (
    <Section id="limits">
      <p className={styles.note}>
        For all workspaces together; each folder’s <code>pulseward.toml</code> can set its own. You are
        notified at 80 %. If a program only reports tokens, their cost is estimated from the price table.
      </p>
      <div className={styles.pair}>
        <AmountSetting name="dailyBudgetUsd" limits={limits} change={change} />
        <AmountSetting name="dailyTokens" limits={limits} change={change} />
      </div>
      <ChoiceSetting
        label={label ?? 'At the daily limit'}
        name="at-daily-limit"
        value={limits.atDailyLimit}
        options={control.kind === 'choice' ? control.options : []}
        onChoose={(option) =>
          change({ limits: { atDailyLimit: option as Settings['limits']['atDailyLimit'] } })
        }
      />
    </Section>
  )
}

function AmountSetting({ name, limits, change }: LimitsProps & { name: 'dailyBudgetUsd' | 'dailyTokens' }) {
  const { label, hint, schema } = LIMIT_SETTINGS[name]
  return (
    <NumberSetting
      label={label ?? name}
      hint={hint}
      value={limits[name]}
      schema={schema}
      whenEmpty="no limit"
      onCommit={(value) => change({ limits: { [name]: value } })}
    />
  )
}
