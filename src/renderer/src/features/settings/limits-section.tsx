import { useState } from 'react'
import type { Settings } from '../../../../api/schemas/settings.ts'
import { LIMIT_SETTINGS } from '../../../../core/configuration/app.ts'
import { TextField } from '../../ui/text-field.tsx'
import { Section } from './setting-row.tsx'
import styles from './settings.module.css'
import type { ChangeSettings } from './use-settings.ts'

interface LimitsProps {
  readonly limits: Settings['limits']
  readonly change: ChangeSettings
}

/** What all workspaces together may use in a day. */
export function LimitsSection({ limits, change }: LimitsProps) {
  const [problem, setProblem] = useState<string | null>(null)
  const { label, control } = LIMIT_SETTINGS.atDailyLimit
  const options = control.kind === 'choice' ? control.options : []
  return (
    <Section id="limits" title="Limits of a day">
      <p className={styles.note}>
        Over all workspaces; one of its own stands in each folder’s <code>pulseward.toml</code>. You are
        notified at 80 %. What a program tells in tokens only is estimated by the table of prices.
      </p>
      <div className={styles.pair}>
        <AmountSetting name="dailyBudgetUsd" limits={limits} change={change} />
        <AmountSetting name="dailyTokens" limits={limits} change={change} />
      </div>
      <fieldset className={styles.group}>
        <legend className={styles.legend}>{label}</legend>
        <div className={styles.choices}>
          {options.map(([option, words]) => (
            <label key={option} className={styles.choice}>
              <input
                type="radio"
                name="at-daily-limit"
                checked={limits.atDailyLimit === option}
                onChange={async () =>
                  setProblem(await change({ limits: { atDailyLimit: option as 'pause' | 'warn' } }))
                }
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
    </Section>
  )
}

/** An amount, or no limit where the field is left empty: checked while one types, written once it is left. */
function AmountSetting({ name, limits, change }: LimitsProps & { name: 'dailyBudgetUsd' | 'dailyTokens' }) {
  const { label, hint, schema } = LIMIT_SETTINGS[name]
  const [draft, setDraft] = useState<string | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  const text = draft ?? String(limits[name] ?? '')
  const value = text.trim() === '' ? null : Number(text)
  const parsed = schema.safeParse(value)
  const commit = async () => {
    if (draft === null || !parsed.success) return
    const answer = value === limits[name] ? null : await change({ limits: { [name]: value } })
    setRefusal(answer)
    if (answer === null) setDraft(null)
  }
  return (
    <TextField
      label={label ?? name}
      {...(hint !== undefined && { hint })}
      problem={parsed.success ? refusal : `Expected ${parsed.error.issues[0]?.message ?? 'a number'}.`}
      inputMode="decimal"
      autoComplete="off"
      placeholder="no limit"
      value={text}
      onChange={(event) => {
        setRefusal(null)
        setDraft(event.target.value)
      }}
      onBlur={() => void commit()}
      onKeyDown={(event) => {
        if (event.key === 'Enter') void commit()
        if (event.key === 'Escape') setDraft(null)
      }}
    />
  )
}
