import type { SessionView } from '../../../../core/read-model/session.ts'
import { shownTurn, turnsInWords, turnWords } from '../../../../core/read-model/session-words.ts'
import { SESSION_AGENT_NAMES } from '../../../../core/vocabulary/session.ts'
import { sentence } from '../../format/sentence.ts'
import { routeTo } from '../../route/route.ts'
import { useAnswer } from '../../store/use-answer.ts'
import { useApp } from '../../store/use-app.ts'
import { Prose } from '../../ui/prose.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { VerdictGlyph } from '../../ui/verdict-glyph.tsx'
import { rowsOf } from './session-words.ts'
import styles from './sessions.module.css'

/** The largest number that can be requested: one that needs a decision may be older than many others. */
const LAST = 50

/** The sessions that are running or need the operator; shows nothing if there are none. */
export function SessionRows({ workspaceId }: { workspaceId: string }) {
  const freshness = useApp((state) => state.details[workspaceId]?.marks.sessions) ?? ''
  return freshness === '' ? null : <Rows workspaceId={workspaceId} freshness={freshness} />
}

function Rows({ workspaceId, freshness }: { workspaceId: string; freshness: string }) {
  const { value } = useAnswer((api) => api.sessions.list, { workspace: workspaceId, last: LAST }, freshness)
  const shown = rowsOf(value?.sessions ?? [])
  if (shown.length === 0) return null
  return (
    <section className="stack gap-3" aria-label="Sessions">
      <h2>Sessions</h2>
      <ul className="card rows">
        {shown.map((session) => (
          <Row key={session.sessionId} workspaceId={workspaceId} session={session} />
        ))}
      </ul>
    </section>
  )
}

function Row({ workspaceId, session }: { workspaceId: string; session: SessionView }) {
  const { sessionId, agent, running, lastAt, taskId, silent, turns } = session
  const last = turns.at(-1)
  const kind = last === undefined ? null : shownTurn(last)
  const why = silent ?? last?.reasons[0]
  return (
    <li className={styles.row}>
      <span className={styles.glyph}>{kind !== null && <VerdictGlyph kind={kind} />}</span>
      <div className="stack gap-half shrinks breaks">
        <p className={styles.head}>
          <a className="quiet-link strong" href={routeTo(workspaceId, 'session', sessionId)}>
            {SESSION_AGENT_NAMES[agent]}
          </a>
          <span>{last === undefined ? 'No turn has ended yet' : turnWords(last)}</span>
          <span className="measure quiet breaks pretty">
            {running ? 'running' : 'ended'}, {turnsInWords(session)}
            {taskId !== null && (
              <>
                , for <bdi>{taskId}</bdi>
              </>
            )}
            , <RelativeTime at={lastAt} />
          </span>
        </p>
        {why !== undefined && (
          <p className="measure quiet breaks pretty" dir="auto">
            <Prose text={sentence(why)} />
          </p>
        )}
      </div>
    </li>
  )
}
