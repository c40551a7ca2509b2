import { useId } from 'react'
import { standingTitle } from '../../../../core/read-model/standing-title.ts'
import type { Workspace } from '../../../../core/read-model/workspace.ts'
import { formatPoints } from '../../../../core/scoring/format.ts'
import { INTERVENTION_ROWS } from '../../../../core/vocabulary/intervention.ts'
import { counted } from '../../format/counted.ts'
import { isUntouched } from '../../format/standing.ts'
import { routeTo } from '../../route/route.ts'
import { navigate } from '../../route/use-route.ts'
import { useApp } from '../../store/use-app.ts'
import { Button } from '../../ui/button.tsx'
import { Shield } from '../../ui/shield.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { TargetBar } from '../score/target-bar.tsx'
import { NextWords } from '../workspace/next-heartbeat.tsx'
import { WorkspaceMenu } from '../workspace-menu/workspace-menu.tsx'
import { type LikelyAction, likelyAction } from './needs.ts'
import { standingEffect } from './standing-effect.ts'
import styles from './workspace-card.module.css'

/** A workspace at a glance: its standing and score, when it runs next, what is open, and the most likely action. */
export function WorkspaceCard({
  workspace,
  isFirst,
}: {
  workspace: Workspace
  /** The first of those that need the operator: its action is the primary one of the screen. */
  isFirst: boolean
}) {
  const { id, name, path, agentId, shield, score, lastIntervention } = workspace
  const titleId = useId()
  const action = likelyAction(workspace)
  const decisions = workspace.needs.length
  return (
    <li>
      <article className={styles.card} data-row data-asks={decisions > 0} aria-labelledby={titleId}>
        <header className={styles.head}>
          <Shield level={shield} unreviewed={workspace.unreviewed} size={28} />
          <div className="shrinks">
            <h3 className={styles.name} id={titleId}>
              <a href={routeTo(id)} title={`${name}\n${path}`}>
                <bdi>{name}</bdi>
              </a>
            </h3>
            <p className={styles.agent}>
              <bdi>
                {agentId ?? (workspace.trust === 'unapproved' ? 'no agent approved yet' : 'no agent yet')}
              </bdi>
            </p>
          </div>
          <p className={styles.points}>
            <strong data-negative={score.score < 0} data-none={isUntouched(workspace)}>
              {isUntouched(workspace) ? '–' : formatPoints(score.score)}
            </strong>{' '}
            <span>of {formatPoints(score.target)}</span>
          </p>
          <WorkspaceMenu workspace={workspace} />
        </header>
        <TargetBar
          score={score.score}
          target={score.target}
          percent={score.percent}
          level={shield}
          steps={workspace.standingSteps}
        />
        <p className={styles.standing}>
          <strong>{standingTitle(workspace)}</strong>: {standingEffect(workspace)}
        </p>
        {hasNext(workspace) && (
          <p className="quiet">
            <NextWords workspace={workspace} />
          </p>
        )}
        <Counts workspace={workspace} />
        {lastIntervention !== null && (
          <p className="quiet">
            Last: <a href={routeTo(id, 'timeline')}>{INTERVENTION_ROWS[lastIntervention.event_type].title}</a>
            {lastIntervention.task_id !== null && (
              <>
                {' '}
                at <bdi className={styles.task}>{lastIntervention.task_id}</bdi>
              </>
            )}
            , <RelativeTime at={lastIntervention.timestamp} />
          </p>
        )}
        <footer className={styles.foot}>
          {/* Only the count: the list of decisions above says what they are. */}
          {decisions > 0 && <p>{counted(decisions, 'decision')}</p>}
          <ActionButton workspace={workspace} action={action} look={isFirst ? 'primary' : 'plain'} />
        </footer>
      </article>
    </li>
  )
}

/** Whether to show when it runs next. If nothing runs, the standing already says so. */
function hasNext({ suspended, paused, running, next }: Workspace): boolean {
  return suspended === null && (paused === null || running !== null || next.at !== null)
}

function Counts({ workspace: { counts } }: { workspace: Workspace }) {
  const figures = [
    { words: 'open', count: counts.open },
    { words: 'verified', count: counts.verified },
    { words: 'not verified', count: counts.failed },
    { words: 'blocked', count: counts.blocked },
  ]
  return (
    <ul className={styles.counts} aria-label="Tasks">
      {figures.map(({ words, count }) => (
        <li key={words} data-of={words} data-none={count === 0}>
          <strong>{count}</strong> {words}
        </li>
      ))}
    </ul>
  )
}

function ActionButton({
  workspace: { id, name },
  action,
  look,
}: {
  workspace: Workspace
  action: LikelyAction
  look: 'primary' | 'plain'
}) {
  const runNow = useApp((state) => state.runNow)
  const resume = useApp((state) => state.resume)
  const act = () => {
    switch (action.kind) {
      case 'go':
        return navigate(action.address)
      case 'run':
        return void runNow(id)
      case 'resume':
        return void resume(id)
    }
  }
  return (
    <Button acts={action.kind !== 'go'} look={look} className={styles.action} onClick={act}>
      {action.label}
      <VisuallyHidden>
        {' '}
        {action.kind === 'go' ? 'at' : 'in'} {name}
      </VisuallyHidden>
    </Button>
  )
}
