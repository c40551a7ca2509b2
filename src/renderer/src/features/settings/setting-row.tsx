import { type ReactNode, useId, useState } from 'react'
import type { z } from 'zod'
import { TextField } from '../../ui/text-field.tsx'
import styles from './settings.module.css'

/** A section of the settings, with an address of its own. */
export function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  const titleId = useId()
  return (
    <section className={styles.section} id={`settings-${id}`} aria-labelledby={titleId} tabIndex={-1}>
      <h2 id={titleId} className={styles.title}>
        {title}
      </h2>
      <div className={styles.card}>{children}</div>
    </section>
  )
}

/** A whole number that is checked while one types, and written once it is right and left. */
export function NumberSetting({
  label,
  hint,
  value,
  schema,
  disabled = false,
  onCommit,
}: {
  label: string
  hint?: ReactNode
  value: number
  /** The very schema that the host checks with. */
  schema: z.ZodType
  disabled?: boolean
  onCommit: (value: number) => Promise<string | null>
}) {
  const [draft, setDraft] = useState<string | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  const text = draft ?? String(value)
  const parsed = schema.safeParse(text.trim() === '' ? Number.NaN : Number(text))
  const problem = parsed.success
    ? refusal
    : `Expected ${parsed.error.issues[0]?.message ?? 'a number'}${text.trim() === '' ? '' : `, found ${JSON.stringify(text.slice(0, 40))}`}.`
  const commit = async () => {
    if (draft === null || !parsed.success) return
    const answer = Number(parsed.data) === value ? null : await onCommit(Number(parsed.data))
    setRefusal(answer)
    if (answer === null) setDraft(null)
  }
  return (
    <TextField
      label={label}
      hint={hint}
      problem={problem}
      inputMode="numeric"
      autoComplete="off"
      value={text}
      disabled={disabled}
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
