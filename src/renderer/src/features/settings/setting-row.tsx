import { type ReactNode, useId, useState } from 'react'
import type { z } from 'zod'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { TextField } from '../../ui/text-field.tsx'
import styles from './settings.module.css'

/** The sections of the settings, in the order of the screen. */
const SECTION_TITLES = {
  appearance: 'Appearance',
  notifications: 'Notifications',
  channels: 'Channels',
  limits: 'Daily limits',
  running: 'Running',
  data: 'Data folder',
  updates: 'Updates',
  about: 'About',
} as const

export const idOfSection = (name: string): string => `settings-${name}`

export const SETTINGS_SECTIONS = Object.entries(SECTION_TITLES).map(([name, title]) => ({
  id: idOfSection(name),
  title,
}))

/** A section of the settings, with its own address. */
export function Section({ id, children }: { id: keyof typeof SECTION_TITLES; children: ReactNode }) {
  const titleId = useId()
  const title = SECTION_TITLES[id]
  return (
    <section className={styles.section} id={idOfSection(id)} aria-labelledby={titleId} tabIndex={-1}>
      <h2 id={titleId} className={styles.title}>
        {title}
      </h2>
      <div className={styles.card}>{children}</div>
    </section>
  )
}

/**
 * A number that is checked while typing, and saved when it is valid and the field loses the focus. `whenEmpty` says what an empty field
 * means; with it, the field may be empty, for `null`.
 */
export function NumberSetting<Value extends number | null>({
  label,
  hint,
  value,
  schema,
  whenEmpty,
  onCommit,
}: {
  label: string
  hint?: ReactNode
  value: Value
  /** The same schema that the host validates with. */
  schema: z.ZodType<Value>
  whenEmpty?: string
  onCommit: (value: Value) => Promise<string | null>
}) {
  const [draft, setDraft] = useState<string | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  const text = draft ?? String(value ?? '')
  const isEmpty = text.trim() === ''
  const nothing = whenEmpty === undefined ? Number.NaN : null
  const parsed = schema.safeParse(isEmpty ? nothing : Number(text))
  const problem = parsed.success
    ? refusal
    : `Expected ${parsed.error.issues[0]?.message ?? 'a number'}${isEmpty ? '' : `, found ${JSON.stringify(text.slice(0, 40))}`}.`
  const commit = async () => {
    if (draft === null || !parsed.success) return
    const answer = parsed.data === value ? null : await onCommit(parsed.data)
    setRefusal(answer)
    if (answer === null) setDraft(null)
  }
  return (
    <TextField
      label={label}
      hint={hint}
      problem={problem}
      inputMode="decimal"
      autoComplete="off"
      placeholder={whenEmpty}
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

/** A choice among a few options, saved at once. */
export function ChoiceSetting({
  label,
  name,
  value,
  options,
  onChoose,
}: {
  label: string
  /** Name of the button group, unique on the screen. */
  name: string
  value: unknown
  options: readonly (readonly [value: string, words: string])[]
  onChoose: (value: string) => Promise<string | null>
}) {
  const [problem, setProblem] = useState<string | null>(null)
  return (
    <fieldset className="stack gap-3">
      <legend className={styles.legend}>{label}</legend>
      <div className={styles.choices}>
        {options.map(([option, words]) => (
          <label key={option} className="row small">
            <input
              type="radio"
              name={name}
              checked={value === option}
              onChange={async () => setProblem(await onChoose(option))}
            />
            {words}
          </label>
        ))}
      </div>
      <ProblemNote text={problem} />
    </fieldset>
  )
}
