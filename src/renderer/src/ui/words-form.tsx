import type { KeyboardEvent, ReactNode } from 'react'
import styles from './words-form.module.css'

/** As many characters as a note to an agent may have. */
const MAX_WORDS = 2000

/**
 * A form that opens at the button that asked for it; `onSubmit` is left out where each button does its own. Escape calls `onClose`,
 * which loses nothing of what was typed.
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
  /** What hindered it the last time. */
  problem?: string | null
  buttons: ReactNode
  children: ReactNode
}) {
  const closeByKey = (event: KeyboardEvent) => {
    const { key, nativeEvent, target } = event
    // A choice that is open, or letters being composed, are closed by it first.
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
      {problem !== null && (
        <p className={styles.error} role="alert">
          {problem}
        </p>
      )}
      <div className={styles.buttons}>{buttons}</div>
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

/** What the operator has to say, in a few lines. */
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
  /** Where the form was opened to write in it. */
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
