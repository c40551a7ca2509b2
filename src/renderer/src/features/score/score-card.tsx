import { standingTitle } from '../../../../core/read-model/standing-title.ts'
import { verdictCounts } from '../../../../core/read-model/verdict-counts.ts'
import type { WorkspaceDetail } from '../../../../core/read-model/workspace.ts'
import { formatPoints } from '../../../../core/scoring/format.ts'
import { counted } from '../../format/counted.ts'
import { routeTo } from '../../route/route.ts'
import { Shield } from '../../ui/shield.tsx'
import { Term } from '../../ui/term.tsx'
import { useCountTo } from '../../ui/use-count-to.ts'
import { EqualitySign } from '../../ui/verdict-glyph.tsx'
import styles from './score.module.css'
import { TargetBar } from './target-bar.tsx'

/** The result at a glance: the score and its target, what failed, and what the standing changes. */
export function ScoreCard({ workspace }: { workspace: WorkspaceDetail }) {
  const { score, shield } = workspace
  const shown = useCountTo(score.score)
  return (
    <section className="stack gap-3 shrinks" aria-label="Score of today">
      <div className={styles.line}>
        <p className={styles.score} data-negative={score.score < 0} data-testid="score">
          {formatPoints(shown)}
        </p>
        <p className="faint figures">
          of {formatPoints(score.target)} <Term name="target">target</Term>
        </p>
        <p className={styles.pill} data-testid="shield" data-level={shield}>
          <Shield level={shield} unreviewed={workspace.unreviewed} size={18} />
          {standingTitle(workspace)}
        </p>
        {score.contradictions > 0 && (
          <p className={styles.contradictions}>
            <EqualitySign agrees={false} /> {counted(score.contradictions, 'contradiction')}
          </p>
        )}
      </div>
      <TargetBar
        score={score.score}
        target={score.target}
        percent={score.percent}
        level={shield}
        steps={workspace.standingSteps}
      />
      <DayCounts workspaceId={workspace.id} score={score} />
      <p className={styles.standing}>{sentence(workspace)}</p>
    </section>
  )
}

/** The verdicts of today, each counted once and linked to its entries on the timeline. */
function DayCounts({ workspaceId, score }: { workspaceId: string; score: WorkspaceDetail['score'] }) {
  const { verified, contradictions, notVerified, unclear } = verdictCounts(score)
  if (verified + contradictions + notVerified + unclear === 0)
    return <p className={styles.counts}>No verdicts today.</p>
  const counts = [
    { type: 'verified', words: `${verified} verified`, count: 1 },
    { type: 'contradiction', words: counted(contradictions, 'contradiction'), count: contradictions },
    { type: 'not_verified', words: `${notVerified} not verified`, count: notVerified },
    { type: 'unclear', words: `${unclear} unclear`, count: unclear },
  ]
  return (
    <ul className={styles.counts} aria-label="Verdicts of today">
      {counts
        .filter(({ count }) => count > 0)
        .map(({ type, words }) => (
          <li key={type} data-type={type}>
            <a href={routeTo(workspaceId, 'timeline', null, { kinds: 'verdict', types: type })}>{words}</a>
          </li>
        ))}
      {score.streakDays > 1 && <li>{score.streakDays} days in a row on target</li>}
    </ul>
  )
}

/** Describes the standing in a sentence: the rules' own message if there is one, else what is left to do. */
function sentence({ score, standingMessage, paused, suspended }: WorkspaceDetail): string {
  if (suspended !== null) return 'Suspended: no heartbeat runs until you review it and resume.'
  if (paused !== null) return 'Paused: no heartbeat runs until you resume.'
  if (standingMessage !== '') return standingMessage
  if (score.pointsToTarget === 0) return `Target reached, a heartbeat every ${score.intervalMinutes} minutes.`
  return `${counted(score.pointsToTarget, 'point')} to target, a heartbeat every ${score.intervalMinutes} minutes.`
}
