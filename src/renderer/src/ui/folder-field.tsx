import { useAnswer } from '../store/use-answer.ts'
import { useApp } from '../store/use-app.ts'
import { Button } from './button.tsx'
import styles from './folder-field.module.css'
import { TextField } from './text-field.tsx'
import { useSubmit } from './use-submit.ts'

/** A field for a folder on the host's machine: typed, or chosen in the system's dialog if the desktop app shows the page. */
export function FolderField({
  value,
  problem,
  hint,
  placeholder,
  onChange,
}: {
  value: string
  problem: string | null
  hint: string
  placeholder?: string
  onChange: (path: string) => void
}) {
  const api = useApp((state) => state.api)
  const { value: capabilities } = useAnswer((api) => api.desktop.capabilities, undefined)
  const { busy, problem: ofDialog, submit } = useSubmit()
  const choose = () =>
    submit(async () => {
      const { path: chosen } = await api.desktop.chooseFolder()
      if (chosen !== null) onChange(chosen)
    })
  return (
    <div className={styles.row}>
      <TextField
        label="Folder"
        value={value}
        problem={problem ?? ofDialog}
        hint={hint}
        spellCheck={false}
        autoComplete="off"
        placeholder={placeholder}
        onChange={(event) => onChange(event.target.value)}
      />
      {capabilities?.chooseFolder === true && (
        <Button onClick={choose} aria-disabled={busy}>
          Choose…
        </Button>
      )}
    </div>
  )
}
