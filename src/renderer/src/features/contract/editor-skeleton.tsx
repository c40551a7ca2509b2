import { Skeleton } from '../../ui/skeleton.tsx'
import styles from './contract.module.css'

/** Placeholder while the editor or the file is loading. */
export function EditorSkeleton() {
  return (
    <div className={styles.skeleton} role="status" aria-label="Loading the contract">
      <Skeleton width="100%" height={32} />
      <Skeleton width="100%" height={420} />
    </div>
  )
}
