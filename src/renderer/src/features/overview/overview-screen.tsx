import { Suspense } from 'react'
import { trustAnswer } from '../../../../core/read-model/trust-answer.ts'
import type { Workspace } from '../../../../core/read-model/workspace.ts'
import { counted } from '../../format/counted.ts'
import { useApp } from '../../store/use-app.ts'
import { Button } from '../../ui/button.tsx'
import { lazyNamed } from '../../ui/lazy-named.tsx'
import screenStyles from '../../ui/screen.module.css'
import { ScreenHead } from '../../ui/screen-head.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { Decisions } from '../decisions/decisions.tsx'
import { LEADERBOARD_ID, Leaderboard } from './leaderboard.tsx'
import { ListChoices, useArrangement } from './list-choices.tsx'
import { byNeed, needsAttention } from './needs.ts'
import styles from './overview.module.css'
import { useKeptChoice, useKeptText } from './use-kept-choice.ts'
import { WorkspaceCard } from './workspace-card.tsx'

/** Fewer workspaces are easier to find by eye. */
const FILTER_ABOVE = 8

/** More cards than this take too much scrolling. */
const LIST_ABOVE = 12
const LAYOUTS = ['cards', 'list'] as const
type Layout = (typeof LAYOUTS)[number]

/** All workspaces side by side: which can be trusted, and which need the operator. */
export function OverviewScreen() {
  const workspaces = useApp((state) => state.workspaces)
  const [wanted, setWanted] = useKeptText('pulseward-overview-filter')
  const filterable = workspaces.length > FILTER_ABOVE
  const [layout, setLayout] = useKeptChoice<Layout>(
    'pulseward-overview-layout',
    LAYOUTS,
    workspaces.length > LIST_ABOVE ? 'list' : 'cards',
  )
  const arrangement = useArrangement()
  const shown = filterable ? workspaces.filter((workspace) => matches(workspace, wanted)) : workspaces
  return (
    <div className={screenStyles.screen}>
      <ScreenHead
        title="Overview"
        answer={trustAnswer(workspaces)}
        page="desktop"
        anchor="overview"
        about="the overview"
      />
      <Decisions workspaces={shown} />
      {filterable && (
        <div className={styles.filter}>
          <TextField
            label="Filter"
            type="search"
            value={wanted}
            placeholder="Name, folder, agent or tag"
            onChange={(event) => setWanted(event.target.value)}
          />
          <p className={styles.count} role="status">
            {wanted.trim() === ''
              ? counted(workspaces.length, 'workspace')
              : `${shown.length} of ${workspaces.length}`}
          </p>
          <fieldset className="segments" aria-label="Workspaces as">
            {LAYOUTS.map((each) => (
              <Button key={each} look="quiet" aria-pressed={layout === each} onClick={() => setLayout(each)}>
                {each === 'cards' ? 'Cards' : 'List'}
              </Button>
            ))}
          </fieldset>
          {layout === 'list' && <ListChoices {...arrangement} />}
          <Button look="quiet" className={styles.toDays} onClick={goToLeaderboard}>
            Jump to 7 days
          </Button>
        </div>
      )}
      {shown.length === 0 ? (
        <p className="empty">
          No workspace matches “{wanted}”.{' '}
          <Button look="quiet" onClick={() => setWanted('')}>
            Show all
          </Button>
        </p>
      ) : filterable && layout === 'list' ? (
        <Suspense fallback={<Skeleton width="100%" height={240} />}>
          <WorkspaceList workspaces={shown} order={arrangement.order} by={arrangement.by} />
        </Suspense>
      ) : (
        <Cards workspaces={shown} />
      )}
      <Leaderboard shown={shown} />
    </div>
  )
}

const WorkspaceList = lazyNamed(() => import('./workspace-list.tsx'), 'WorkspaceList')

/** A button instead of a link, because the part of the address after `#` is the route. */
function goToLeaderboard(): void {
  const section = document.getElementById(LEADERBOARD_ID)
  section?.scrollIntoView()
  section?.focus({ preventScroll: true })
}

/** Workspaces that need the operator, then the others, each group under its own heading. */
function Cards({ workspaces }: { workspaces: readonly Workspace[] }) {
  const ordered = byNeed(workspaces)
  const asking = ordered.filter(needsAttention)
  const others = ordered.slice(asking.length)
  return (
    <>
      {asking.length > 0 && (
        <section className="stack gap-3" aria-label="Need attention">
          <h2>
            {counted(asking.length, 'workspace')} {asking.length === 1 ? 'needs' : 'need'} attention
          </h2>
          <ul className={styles.cards}>
            {asking.map((workspace, index) => (
              <WorkspaceCard key={workspace.id} workspace={workspace} isFirst={index === 0} />
            ))}
          </ul>
        </section>
      )}
      {others.length > 0 && (
        <section className="stack gap-3" aria-label="Running normally">
          <h2>{others.length} running normally</h2>
          <ul className={styles.cards}>
            {others.map((workspace) => (
              <WorkspaceCard key={workspace.id} workspace={workspace} isFirst={false} />
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

function matches({ name, path, agentId, tags }: Workspace, wanted: string): boolean {
  const words = wanted.trim().toLocaleLowerCase()
  return [name, path, agentId ?? '', ...tags].some((text) => text.toLocaleLowerCase().includes(words))
}
