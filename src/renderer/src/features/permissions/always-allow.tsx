import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import styles from './permissions.module.css'

/** What to write to be asked no more. Nothing is written from here: the file is the operator's, and asks for approval. */
export function AlwaysAllow({ line }: { line: string | null }) {
  const [copied, setCopied] = useState<boolean | null>(null)
  if (line === null) {
    return (
      <p className={styles.always}>
        This cannot be allowed for good: it reaches outside the workspace. You can only allow it this once.
      </p>
    )
  }
  const copy = () =>
    navigator.clipboard.writeText(line).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  return (
    <div className={styles.always}>
      <p>
        To be asked no more, set this line under <code>[agent]</code> in <code>pulseward.toml</code> and
        approve the file. Nothing is changed from here.
      </p>
      <div className={styles.line}>
        <code>{line}</code>
        <Button look="quiet" onClick={() => void copy()}>
          Copy
        </Button>
      </div>
      <p role="status" className={styles.copied}>
        {copied === true && 'Copied.'}
        {copied === false && 'It could not be copied: select the line and copy it by hand.'}
      </p>
    </div>
  )
}
