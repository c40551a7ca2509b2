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
import { type DecisionGroup, decisionGroups } from '../../../../core/read-model/decision-groups.ts'
import type { Need } from '../../../../core/read-model/need.ts'
import type { Workspace } from '../../../../core/read-model/workspace.ts'
import type { NeedKind } from '../../../../core/vocabulary/need.ts'
import { counted } from '../../format/counted.ts'
import { routeTo } from '../../route/route.ts'
import { navigate } from '../../route/use-route.ts'
import { Button, LooksOnly } from '../../ui/button.tsx'
import { Prose } from '../../ui/prose.tsx'
import { useLongList } from '../../ui/use-long-list.tsx'
import { useMatches } from '../../ui/use-matches.ts'
import { useOpener } from '../../ui/use-opener.ts'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import styles from './inbox.module.css'
import { actionsFor, addressOfNeed, forAll, type NeedAction } from './need-actions.ts'
import { ResumeAll } from './resume-all.tsx'
import { useDecide } from './use-decide.ts'

/** With several workspaces, further decisions are behind a button, so that the workspaces below stay visible. */
const FIRST_SHOWN = 6
const FIRST_SHOWN_NARROW = 2
/** As it is at a zoom of 200 %. */
const FIRST_SHOWN_LOW = 1
const ALL_SHOWN = 200

/**
 * What needs a decision, the most urgent first. Each is answered in its row, by button or by its letter while the row has the focus. The
 * same cause in several workspaces is one row, and so are several blocked tasks of a workspace.
 */
export function Inbox({
  workspaces,
  kinds,
  isNamed,
}: {
  workspaces: readonly Workspace[]
  /** If omitted, all kinds. */
  kinds?: readonly NeedKind[]
  /** Whether rows name their workspace. */
  isNamed: boolean
}) {
  const groups = decisionGroups(workspaces, kinds)
  const firstShown = useFirstShown()
  const { shown, more } = useLongList(
    groups,
    FIRST_SHOWN,
    sizeOf,
    workspaces.length > 1 ? firstShown : ALL_SHOWN,
  )
  if (groups.length === 0) return null
  const count = groups.reduce((sum, group) => sum + sizeOf(group), 0)
  const names = new Map(workspaces.map(({ id, name }) => [id, name]))
  return (
    <section className="stack" aria-label="Decisions">
      <h2>{counted(count, 'decision')}</h2>
      <ul className="card rows">
        {shown.map((group) => {
          const [need] = group.needs
          if (need === undefined) return null
          return group.by === 'nothing' ? (
            <Row
              key={group.key}
              need={need}
              name={names.get(need.workspace) ?? need.workspace}
              isNamed={isNamed}
            />
          ) : (
            <GroupRow key={group.key} group={group} names={names} isNamed={isNamed} />
          )
        })}
      </ul>
      {more}
    </section>
  )
}

function useFirstShown(): number {
  const isNarrow = useMatches('(width < 720px)')
  const isLow = useMatches('(height < 560px)')
  return isLow ? FIRST_SHOWN_LOW : isNarrow ? FIRST_SHOWN_NARROW : FIRST_SHOWN
}

const sizeOf = ({ needs }: DecisionGroup) => needs.length

/** Several decisions that can be answered together. */
function GroupRow({
  group: { kind, by, needs },
  names,
  isNamed,
}: {
  group: DecisionGroup
  names: ReadonlyMap<string, string>
  isNamed: boolean
}) {
  const reasonId = useId()
  const { open, setOpen, opener } = useOpener()
  const [first] = needs
  if (first === undefined) return null
  const nameOf = (workspace: string) => names.get(workspace) ?? workspace
  return (
    <li className={styles.row} data-kind={kind} data-decision data-row>
      <span className={styles.icon}>
        <KindIcon kind={kind} />
      </span>
      <div className={styles.words}>
        {by === 'workspace' && isNamed && (
          <a className={styles.name} href={routeTo(first.workspace)}>
            <bdi>{nameOf(first.workspace)}</bdi>
          </a>
        )}
        <details className={styles.members}>
          <summary id={reasonId} className={styles.reason} dir="auto">
            {by === 'workspace' ? (
              `${needs.length} blocked tasks`
            ) : (
              <span>
                <Prose text={first.reason} /> <span className="quiet nowrap">{needs.length} workspaces</span>
              </span>
            )}
          </summary>
          <ul>
            {needs.map((need) => (
              <li key={`${need.workspace} ${need.id}`} dir="auto">
                {by === 'workspace' ? (
                  <Prose text={need.reason} />
                ) : (
                  <a href={addressOfNeed(need)}>
                    <bdi>{nameOf(need.workspace)}</bdi>
                  </a>
                )}
              </li>
            ))}
          </ul>
        </details>
      </div>
      <div className={styles.actions}>
        {by === 'cause' && <OneForAll needs={needs} reasonId={reasonId} />}
        {kind === 'suspension' && !open && (
          <Button acts data-row-target ref={opener} aria-describedby={reasonId} onClick={() => setOpen(true)}>
            Resume all…
          </Button>
        )}
        {by === 'workspace' && (
          <Button
            data-row-target
            aria-describedby={reasonId}
            onClick={() => navigate(routeTo(first.workspace, 'blocked'))}
          >
            Review blocked<VisuallyHidden> in {nameOf(first.workspace)}</VisuallyHidden>
          </Button>
        )}
      </div>
      {open && (
        <div className={styles.form}>
          <ResumeAll workspaces={needs.map(({ workspace }) => workspace)} onClose={() => setOpen(false)} />
        </div>
      )}
    </li>
  )
}

/** The one answer to a cause in several workspaces, where it has one. */
function OneForAll({ needs, reasonId }: { needs: readonly Need[]; reasonId: string }) {
  const { deed } = useDecide()
  const [busy, setBusy] = useState(false)
  const action = needs[0] === undefined ? undefined : forAll(needs[0])
  if (action === undefined) return null
  const act = () => {
    if (busy) return
    setBusy(true)
    void Promise.all(needs.map((need) => deed(need, action.deed))).then(() => setBusy(false))
  }
  return (
    <Button acts data-row-target aria-disabled={busy} aria-describedby={reasonId} onClick={act}>
      {action.label} all
    </Button>
  )
}

/**
 * Kinds of decision that are identified by task. The others have an id that only Pulseward uses; the reason shown with the answer
 * identifies them.
 */
const CALLED_BY_TASK: readonly NeedKind[] = ['blocked', 'finding']

function Row({ need, name, isNamed }: { need: Need; name: string; isNamed: boolean }) {
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
    <li
      className={styles.row}
      data-kind={isOnlyFindings(need) ? 'finding' : need.kind}
      onKeyDown={byKey}
      data-decision
      data-row
    >
      <span className={styles.icon}>
        <KindIcon kind={isOnlyFindings(need) ? 'finding' : need.kind} />
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
        {actions.map((action, index) => (
          <Button
            key={action.key}
            data-row-target={index === 0 || undefined}
            acts={action.does.kind === 'deed'}
            look={action.does.kind === 'go' && actions.length > 1 ? 'quiet' : 'plain'}
            aria-disabled={busy}
            aria-keyshortcuts={action.key}
            aria-describedby={reasonId}
            onClick={() => act(action)}
          >
            {action.label}
            <kbd className={styles.key} aria-hidden>
              {action.key.toUpperCase()}
            </kbd>
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

/** ≠ is for contradictions alone. */
function isOnlyFindings({ count, others }: Need): boolean {
  return count !== undefined && count === others
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
