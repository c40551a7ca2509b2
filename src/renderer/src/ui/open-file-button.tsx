import type { ReactNode } from 'react'
import { useOpenFile } from '../store/use-open-file.ts'
import styles from './open-file-button.module.css'

/** A file name that opens the file in the operator's editor. */
export function OpenFileButton({
  workspaceId,
  path,
  line = 1,
  children,
}: {
  workspaceId: string
  /** Relative to the workspace, or absolute; whether the file exists only shows when it is opened. */
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
