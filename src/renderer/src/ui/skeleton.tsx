import styles from './skeleton.module.css'

/** A placeholder for something that is loading. */
export function Skeleton({ width, height = 14 }: { width: string; height?: number }) {
  return <span className={styles.skeleton} style={{ width, height }} aria-hidden />
}
