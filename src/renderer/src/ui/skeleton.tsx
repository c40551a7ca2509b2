import styles from './skeleton.module.css'

/** The place of something that is on its way. */
export function Skeleton({ width, height = 14 }: { width: string; height?: number }) {
  return <span className={styles.skeleton} style={{ width, height }} aria-hidden />
}
