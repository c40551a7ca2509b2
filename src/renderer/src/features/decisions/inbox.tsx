import {
  Ban,
  CircleAlert,
  EqualNot,
  FilePen,
  Hourglass,
  KeyRound,
  Plug,
  ShieldQuestion,
  Wallet,
} from 'lucide-react'
import { type KeyboardEvent, type ReactNode, use, useId, useState } from 'react'
import type { Need } from '../../../../core/read-model/need.ts'
import type { Workspace } from '../../../../core/read-model/workspace.ts'
import { NEED_KINDS, type NeedKind } from '../../../../core/vocabulary/need.ts'
import { routeTo } from '../../route/route.ts'
import { navigate } from '../../route/use-route.ts'
import { Button, LooksOnly } from '../../ui/button.tsx'
import { Prose } from '../../ui/prose.tsx'
import { useLongList } from '../../ui/use-long-list.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import styles from './inbox.module.css'
import { actionsFor, addressOfNeed, type NeedAction } from './need-actions.ts'
import { useDecide } from './use-decide.ts'

interface Asking {
  readonly need: Need
  readonly name: string
}

/** What needs a decision, the most urgent first, each answered in its row: by button, or by its letter while the row has the focus. */
export function Inbox({
  workspaces,
  kinds,
  isNamed,
}: {
  workspaces: readonly Workspace[]
  /** Left out: all of them. */
  kinds?: readonly NeedKind[]
  /** Rows say which workspace they are of. */
  isNamed: boolean
}) {
  const rows = asking(workspaces, kinds)
  const { shown, more } = useLongList(rows)
  if (rows.length === 0) return null
  return (
    <section className={styles.inbox} aria-label="Decisions">
      <h2 className={styles.heading}>{rows.length === 1 ? '1 decision' : `${rows.length} decisions`}</h2>
      <ul className={styles.rows} onKeyDown={moveAlong}>
        {shown.map(({ need, name }) => (
          <Row
            key={`${need.workspace} ${need.kind} ${need.id} ${need.reason}`}
            need={need}
            name={name}
            isNamed={isNamed}
          />
        ))}
      </ul>
      {more}
      <p className={styles.keys}>
        <kbd>j</kbd> and <kbd>k</kbd> go along the rows; the letters are <kbd>a</kbd> accept or allow,{' '}
        <kbd>r</kbd> refuse, revert or deny, <kbd>u</kbd> go on, <kbd>l</kbd> look.
      </p>
    </section>
  )
}

/** The most urgent kind first; within a kind as the workspaces stand. */
function asking(workspaces: readonly Workspace[], kinds: readonly NeedKind[] | undefined): Asking[] {
  return workspaces
    .flatMap(({ name, needs }) => needs.map((need) => ({ need, name })))
    .filter(({ need }) => kinds?.includes(need.kind) ?? true)
    .toSorted((a, b) => NEED_KINDS.indexOf(a.need.kind) - NEED_KINDS.indexOf(b.need.kind))
}

/** What others are about has an id that only Pulseward knows: their reason, which is told with each answer, says it. */
const CALLED_BY_TASK: readonly NeedKind[] = ['blocked', 'finding']

function Row({ need, name, isNamed }: Asking & { isNamed: boolean }) {
  const { deed } = useDecide()
  const [busy, setBusy] = useState(false)
  const reasonId = useId()
  const actions = actionsFor(need)
  const looksOnly = use(LooksOnly)
  const act = ({ does }: NeedAction) => {
    if (does.kind === 'go') return navigate(addressOfNeed(need))
    if (busy) return
    setBusy(true)
    void deed(need, does.deed).then(() => setBusy(false))
  }
  const byKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const action = actions.find(({ key }) => key === event.key)
    if (action === undefined || (looksOnly && action.does.kind === 'deed')) return
    event.preventDefault()
    act(action)
  }
  return (
    <li className={styles.row} data-kind={need.kind} onKeyDown={byKey} data-decision>
      <span className={styles.icon}>
        <KindIcon kind={need.kind} />
      </span>
      <div className={styles.words}>
        {isNamed && (
          <a className={styles.name} href={routeTo(need.workspace)}>
            <bdi>{name}</bdi>
          </a>
        )}
        <p id={reasonId} className={styles.reason} dir="auto">
          <Prose text={need.reason} />
        </p>
      </div>
      <div className={styles.actions}>
        {actions.map((action) => (
          <Button
            key={action.key}
            acts={action.does.kind === 'deed'}
            look={action.does.kind === 'go' && actions.length > 1 ? 'quiet' : 'plain'}
            aria-disabled={busy}
            aria-keyshortcuts={action.key}
            aria-describedby={reasonId}
            title={`${action.label} (${action.key})`}
            onClick={() => act(action)}
          >
            {action.label}
            <VisuallyHidden>
              {' '}
              {CALLED_BY_TASK.includes(need.kind) ? need.id : ''} in {name}
            </VisuallyHidden>
          </Button>
        ))}
      </div>
    </li>
  )
}

function KindIcon({ kind }: { kind: NeedKind }): ReactNode {
  const icon = { size: 16, 'aria-hidden': true }
  switch (kind) {
    case 'contradiction':
      return <EqualNot {...icon} />
    case 'held':
      return <Hourglass {...icon} />
    case 'proposal':
    case 'contract-weakened':
    case 'contract-unreadable':
      return <FilePen {...icon} />
    case 'permission':
      return <KeyRound {...icon} />
    case 'approve':
    case 'no-configuration':
      return <ShieldQuestion {...icon} />
    case 'blocked':
      return <Ban {...icon} />
    case 'budget':
      return <Wallet {...icon} />
    case 'agent-unavailable':
      return <Plug {...icon} />
    default:
      return <CircleAlert {...icon} />
  }
}

/** `j` and `k` go down and up the rows. */
function moveAlong(event: KeyboardEvent<HTMLUListElement>): void {
  if (event.key !== 'j' && event.key !== 'k') return
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-decision]')]
  const at = rows.findIndex((row) => row.contains(event.target as Element))
  rows[at + (event.key === 'j' ? 1 : -1)]?.querySelector('button')?.focus()
}
