import type { KeyboardEvent, ReactNode } from 'react'
import { ProblemNote } from './problem-note.tsx'
import styles from './words-form.module.css'

/** The longest note to an agent, in characters. */
const MAX_WORDS = 2000

/**
 * A form that opens instead of its button; `onSubmit` is omitted if each button has its own action. Escape calls `onClose`, which loses
 * none of the typed text.
 */
export function WordsForm({
  onSubmit,
  onClose,
  problem = null,
  buttons,
  children,
}: {
  onSubmit?: () => void
  onClose: () => void
  /** Why the last try failed. */
  problem?: string | null
  buttons: ReactNode
  children: ReactNode
}) {
  const closeByKey = (event: KeyboardEvent) => {
    const { key, nativeEvent, target } = event
    // Escape first closes an open choice, or ends composing letters.
    if (key !== 'Escape' || nativeEvent.isComposing || target instanceof HTMLSelectElement) return
    event.preventDefault()
    onClose()
  }
  return (
    <form
      className={styles.form}
      onKeyDown={closeByKey}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit?.()
      }}
    >
      {children}
      <ProblemNote text={problem} />
      <div className="flow">{buttons}</div>
    </form>
  )
}

/** A field of such a form with its label above. */
export function WordsLabel({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: its field is among its children
    <label className={styles.field}>
      {label}
      {children}
    </label>
  )
}

/** A text field of a few lines for the operator. */
export function WordsField({
  label,
  value,
  onChange,
  placeholder,
  opensFocused = false,
}: {
  label: ReactNode
  value: string
  onChange: (value: string) => void
  placeholder: string
  /** Whether the form was opened to type in this field. */
  opensFocused?: boolean
}) {
  return (
    <WordsLabel label={label}>
      <textarea
        value={value}
        maxLength={MAX_WORDS}
        dir="auto"
        // biome-ignore lint/a11y/noAutofocus: the operator opened the form to write in it
        autoFocus={opensFocused}
        placeholder={placeholder}
        onChange={({ target }) => onChange(target.value)}
      />
    </WordsLabel>
  )
}
