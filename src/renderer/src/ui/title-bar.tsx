import styles from './title-bar.module.css'

/** Moves the window where the desktop leaves its title bar to the page; else, and in a browser, it has no height. Said by the title itself. */
export function TitleBar({ title }: { title: string }) {
  return (
    <div className={styles.bar} aria-hidden>
      <bdi>{title}</bdi>
    </div>
  )
}
