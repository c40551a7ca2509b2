import styles from './middle-cut.module.css'

/** Enough of the end to tell two paths apart, usually a file's name. */
const KEPT = 18
/** Scripts whose letters join, or run from right to left: cut into two pieces, a word is drawn as another. */
const JOINED = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/** And two names: a number at their end. */
export const KEPT_OF_NAMES = 8

/**
 * A path or a name on one line; if it does not fit, its middle is omitted. The drawn pieces are generated; selecting, copying and reading
 * aloud use the text itself, once and unbroken.
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
