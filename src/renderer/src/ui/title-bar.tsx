import styles from './title-bar.module.css'

/**
 * Moves the window where the desktop leaves its title bar to the page; else, and in a browser, it has no height. It draws the document's
 * title, which is told by the document: to readers and searches it is no text of the page.
 */
export function TitleBar({ title }: { title: string }) {
  return <div className={styles.bar} data-title={title} aria-hidden />
}
