import { useRef } from 'react'
import type { WorkspaceDetail } from '../../../../core/read-model/workspace.ts'
import { counted } from '../../format/counted.ts'
import { routeTo, type Tab } from '../../route/route.ts'
import { HelpLink, type HelpPlace } from '../../ui/help-link.tsx'
import styles from '../../ui/tabs.module.css'
import { useCurrentInSight } from '../../ui/use-current-in-sight.ts'

const TABS: readonly { readonly tab: Tab; readonly label: string }[] = [
  { tab: 'today', label: 'Today' },
  { tab: 'contract', label: 'Contract' },
  { tab: 'timeline', label: 'Timeline' },
  { tab: 'blocked', label: 'Blocked' },
  { tab: 'landing', label: 'Landing' },
  { tab: 'agent', label: 'Agent' },
  { tab: 'setup', label: 'Setup' },
]

/** What the documentation says about each screen. */
const HELP: Readonly<Record<Tab, HelpPlace>> = {
  today: { page: 'verdicts', about: 'verdicts and score' },
  contract: { page: 'contract', about: 'the contract' },
  timeline: { page: 'desktop', anchor: 'timeline', about: 'the timeline' },
  blocked: { page: 'unblocking', about: 'blocked tasks' },
  landing: { page: 'landing', about: 'landing' },
  agent: { page: 'agents', about: 'agents' },
  setup: { page: 'configuration', about: 'the configuration' },
  attempt: { page: 'verdicts', about: 'verdicts and score' },
  session: { page: 'sessions', about: 'sessions' },
  verify: { page: 'verify', anchor: 'in-the-app', about: 'verifying a change' },
}

/** The screens of a workspace, as links: each has an address. */
export function Tabs({ detail, tab }: { detail: WorkspaceDetail; tab: Tab }) {
  const nav = useRef<HTMLElement>(null)
  // If the tabs do not fit, the current one must be visible.
  useCurrentInSight(nav, tab)
  return (
    <nav className={styles.tabs} aria-label="Workspace screens" ref={nav}>
      {TABS.filter((each) => isShown(each.tab, detail, tab)).map((each) => {
        const count = countOn(each.tab, detail)
        return (
          <a
            key={each.tab}
            className={styles.tab}
            href={routeTo(detail.id, each.tab)}
            aria-current={each.tab === tab ? 'page' : undefined}
          >
            {each.label}
            {count !== null && (
              <span className={styles.count} title={count.words}>
                {count.number}
              </span>
            )}
          </a>
        )
      })}
      <span className={styles.help}>
        <HelpLink {...HELP[tab]} />
      </span>
    </nav>
  )
}

/** Whether a tab is shown. Work done in the folder itself does not land, so that tab can be hidden. */
function isShown(tab: Tab, { marks }: WorkspaceDetail, current: Tab): boolean {
  return tab !== 'landing' || tab === current || (marks.landing ?? '') !== ''
}

/** Returns the number of things waiting behind a tab; `null` if there are none. */
function countOn(
  tab: Tab,
  { diagnostics, counts, needs }: WorkspaceDetail,
): { readonly number: number; readonly words: string } | null {
  if (tab === 'contract' && diagnostics.length > 0)
    return { number: diagnostics.length, words: `${counted(diagnostics.length, 'problem')} in HEARTBEAT.md` }
  if (tab === 'blocked' && counts.blocked > 0)
    return { number: counts.blocked, words: `${counted(counts.blocked, 'task')} with no attempts left` }
  const waiting = needs.filter(({ kind }) => kind === 'landing' || kind === 'landed-differs').length
  if (tab === 'landing' && waiting > 0)
    return { number: waiting, words: `${counted(waiting, 'change')} to decide on` }
  return null
}
