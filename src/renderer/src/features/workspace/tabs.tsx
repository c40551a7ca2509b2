import { routeTo, type Tab } from '../../route/route.ts'
import styles from './tabs.module.css'

const TABS: readonly { readonly tab: Tab; readonly label: string }[] = [
  { tab: 'today', label: 'Today' },
  { tab: 'contract', label: 'Contract' },
]

/** The screens of a workspace, as links: each has an address. */
export function Tabs({ id, tab, diagnosticCount }: { id: string; tab: Tab; diagnosticCount: number }) {
  return (
    <nav className={styles.tabs} aria-label="Workspace screens">
      {TABS.map((each) => (
        <a
          key={each.tab}
          className={styles.tab}
          href={routeTo(id, each.tab)}
          aria-current={each.tab === tab ? 'page' : undefined}
        >
          {each.label}
          {each.tab === 'contract' && diagnosticCount > 0 && (
            <span className={styles.count} title={`${diagnosticCount} to look at in HEARTBEAT.md`}>
              {diagnosticCount}
            </span>
          )}
        </a>
      ))}
    </nav>
  )
}
