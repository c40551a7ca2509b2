import styles from './middle-cut.module.css'

/** As much of the end as tells two paths apart: a file's name, mostly. */
const KEPT = 18
/** Scripts whose letters join, or run from right to left: cut into two pieces, a word is drawn as another. */
const JOINED = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/** And two names: a number at their end. */
export const KEPT_OF_NAMES = 8

/**
 * A path or a name on one line; if there is no room for it, its middle goes and both ends stay. What is drawn are generated pieces; what
 * is selected, copied and read out is the text itself, once and without a break.
 */
export function MiddleCut({
  text,
  className,
  title = text,
  kept = KEPT,
}: {
  text: string
  className?: string | undefined
  /** What hovering says; the whole text where nothing else does. */
  title?: string | undefined
  /** How many characters of the end stay. */
  kept?: number
}) {
  const characters = [...text]
  if (characters.length <= kept * 1.5 || JOINED.test(text)) return <bdi className={className}>{text}</bdi>
  return (
    <bdi className={className} title={title}>
      <span
        className={styles.whole}
        data-head={characters.slice(0, -kept).join('')}
        data-tail={characters.slice(-kept).join('')}
      >
        <span className={styles.text}>{text}</span>
      </span>
    </bdi>
  )
}
