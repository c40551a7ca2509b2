import styles from './title-bar.module.css'

/**
 * Moves the window if the desktop leaves its title bar to the page; otherwise, and in a browser, it has no height. Draws the document's
 * title, but not as page text for screen readers and searches, because the document already has it.
 */
export function TitleBar({ title }: { title: string }) {
  return <div className={styles.bar} data-title={title} aria-hidden />
}
