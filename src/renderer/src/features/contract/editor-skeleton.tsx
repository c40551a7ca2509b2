import { Skeleton } from '../../ui/skeleton.tsx'
import styles from './contract.module.css'

/** In the place of the editor while it or the file is on its way. */
export function EditorSkeleton() {
  return (
    <div className={styles.skeleton} role="status" aria-label="Loading the contract">
      <Skeleton width="100%" height={32} />
      <Skeleton width="100%" height={420} />
    </div>
  )
}
