import type { ReactNode } from 'react'
import { useOpenFile } from '../store/use-open-file.ts'
import styles from './open-file-button.module.css'

/** A file's name that opens it in the operator's editor. */
export function OpenFileButton({
  workspaceId,
  path,
  line = 1,
  children,
}: {
  workspaceId: string
  /** From the workspace, or absolute; whether there is such a file, opening it shows. */
  path: string
  line?: number
  children: ReactNode
}) {
  const open = useOpenFile(workspaceId)
  return (
    <button
      type="button"
      className={styles.file}
      title={line > 1 ? `Open ${path} at line ${line} in your editor` : `Open ${path} in your editor`}
      onClick={() => void open(path, line)}
    >
      {children}
    </button>
  )
}
