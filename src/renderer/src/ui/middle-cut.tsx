import styles from './middle-cut.module.css'

/** As much of the end as tells two paths apart: a file's name, mostly. */
const KEPT = 18

/**
 * A path or a name on one line; if there is no room for it, its middle goes and both ends stay. What is drawn are generated pieces; what
 * is selected, copied and read out is the text itself, once and without a break.
 */
export function MiddleCut({ text, className }: { text: string; className?: string | undefined }) {
  const characters = [...text]
  if (characters.length <= KEPT * 1.5) return <bdi className={className}>{text}</bdi>
  return (
    <bdi className={className} title={text}>
      <span
        className={styles.whole}
        data-head={characters.slice(0, -KEPT).join('')}
        data-tail={characters.slice(-KEPT).join('')}
      >
        <span className={styles.text}>{text}</span>
      </span>
    </bdi>
  )
}
