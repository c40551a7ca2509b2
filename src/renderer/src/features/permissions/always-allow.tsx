import { CopyButton } from '../../ui/copy-button.tsx'
import styles from './permissions.module.css'

/** The line to add so that the agent is not asked again. Nothing is written from here: the file is the operator's and requires approval. */
export function AlwaysAllow({ line }: { line: string | null }) {
  if (line === null) {
    return (
      <p className={styles.always}>
        This can’t always be allowed: it reaches outside the workspace. You can only allow it this once.
      </p>
    )
  }
  return (
    <div className={styles.always}>
      <p>
        To stop being asked, add this line under <code>[agent]</code> in <code>pulseward.toml</code> and
        approve the file. Nothing is changed from here.
      </p>
      <div className={styles.line}>
        <code>{line}</code>
        <CopyButton text={line} />
      </div>
    </div>
  )
}
