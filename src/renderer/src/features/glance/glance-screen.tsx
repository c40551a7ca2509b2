import { standingTitle } from '../../../../core/read-model/standing-title.ts'
import type { Workspace } from '../../../../core/read-model/workspace.ts'
import { formatPoints } from '../../../../core/scoring/format.ts'
import { unreviewedCount } from '../../../../core/vocabulary/unreviewed.ts'
import { isUntouched, worstFirst } from '../../format/standing.ts'
import { OVERVIEW_ADDRESS, routeTo } from '../../route/route.ts'
import { useApp } from '../../store/use-app.ts'
import { Shield } from '../../ui/shield.tsx'
import { EqualitySign } from '../../ui/verdict-glyph.tsx'
import { Decisions } from '../decisions/decisions.tsx'
import { LieCard } from '../decisions/lie-card.tsx'
import styles from './glance.module.css'
import { useGravest } from './use-gravest.ts'

/** More are in the overview: the claim and the decisions must be visible here. */
const SHOWN = 5

/** The content of the small tray window: the scores, the worst claim, the decisions. Its links open the app's window. */
export function GlanceScreen() {
  const workspaces = useApp((state) => state.workspaces)
  const gravest = useGravest(workspaces)
  const count = workspaces.reduce((sum, { unreviewed }) => sum + unreviewed, 0)
  const others = workspaces.reduce((sum, { unreviewedOthers = 0 }) => sum + unreviewedOthers, 0)
  return (
    <div className={styles.glance}>
      <header className={styles.head}>
        <h1>Pulseward</h1>
        <a href={OVERVIEW_ADDRESS}>Open the window</a>
      </header>
      {workspaces.length === 0 ? (
        <p>No workspace yet: add a folder in the window.</p>
      ) : (
        <>
          {count > 0 && (
            <p className="row strong">
              <EqualitySign agrees={false} /> {unreviewedCount(count, others)}
            </p>
          )}
          <Scores workspaces={workspaces} />
          {gravest !== null && (
            <LieCard
              small
              label={count > 0 ? 'Contradictions, not reviewed' : 'The gravest contradiction of today'}
              taskId={gravest.attempt.taskId}
              points={gravest.attempt.points}
              comparisons={gravest.attempt.comparisons}
              words={gravest.attempt.reasons[0] ?? ''}
              workspaceName={workspaces.length > 1 ? gravest.name : undefined}
              about={<a href={routeTo(gravest.id, 'attempt', gravest.attempt.attemptId)}>View attempt</a>}
            />
          )}
          <Decisions workspaces={workspaces} />
        </>
      )}
    </div>
  )
}

/** Each workspace with shield and score, the worst first. */
function Scores({ workspaces }: { workspaces: readonly Workspace[] }) {
  const rest = workspaces.length - SHOWN
  return (
    <section aria-label="Scores">
      <ul>
        {worstFirst(workspaces)
          .slice(0, SHOWN)
          .map((workspace) => (
            <Score key={workspace.id} workspace={workspace} />
          ))}
      </ul>
      {rest > 0 && (
        <a className="small quiet" href={OVERVIEW_ADDRESS}>
          {rest} more in the overview
        </a>
      )}
    </section>
  )
}

function Score({ workspace }: { workspace: Workspace }) {
  const { id, name, path, shield, score, running, unreviewed } = workspace
  return (
    <li>
      <a className={styles.score} href={routeTo(id)} title={`${name}\n${path}`}>
        <Shield level={shield} unreviewed={unreviewed} size={22} />
        <bdi className={styles.name}>{name}</bdi>
        <span className={styles.standing}>
          {standingTitle(workspace)}
          {running !== null && ', running'}
        </span>
        <span className={styles.points}>
          <strong data-negative={score.score < 0}>
            {isUntouched(workspace) ? '–' : formatPoints(score.score)}
          </strong>{' '}
          of {formatPoints(score.target)}
        </span>
      </a>
    </li>
  )
}
