import { Skeleton } from '../../ui/skeleton.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import styles from './connection.module.css'

/** Placeholder in the shape of a workspace, until the first answer arrives. */
export function Connecting() {
  return (
    <div className={styles.connecting} aria-busy="true" data-outline>
      <h1>
        <VisuallyHidden>Loading</VisuallyHidden>
        <Skeleton width="180px" height={22} />
      </h1>
      <Skeleton width="340px" />
      <div className={styles.gap} />
      <Skeleton width="120px" height={44} />
      <Skeleton width="60%" height={8} />
      <div className={styles.gap} />
      <Skeleton width="100%" height={44} />
      <Skeleton width="100%" height={44} />
      <Skeleton width="100%" height={44} />
    </div>
  )
}
