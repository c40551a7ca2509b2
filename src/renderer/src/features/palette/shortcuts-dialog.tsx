import { Dialog } from '../../ui/dialog.tsx'
import styles from './shortcuts.module.css'
import { shortcutGroups } from './shortcuts.ts'
import { isMac } from './use-global-keys.ts'

/** All keyboard shortcuts. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const isDesktop = navigator.userAgent.includes('Electron/')
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <div className={styles.groups}>
        {shortcutGroups({ isMac: isMac(), isDesktop }).map(({ title, shortcuts }) => (
          <section key={title}>
            <h3 className={styles.title}>{title}</h3>
            <dl className={styles.list}>
              {shortcuts.map(({ keys, what }) => (
                <div key={what} className={styles.line}>
                  <dt>{what}</dt>
                  <dd className={styles.keys}>
                    {keys.map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
