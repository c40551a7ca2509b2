import { useState } from 'react'
import { takenDuration } from '../../../../core/pacing/duration-words.ts'
import type { SessionView } from '../../../../core/read-model/session.ts'
import { shownTurn, turnsInWords, turnWords } from '../../../../core/read-model/session-words.ts'
import { formatSignedPoints } from '../../../../core/scoring/format.ts'
import { harmlessLine } from '../../../../core/text/harmless.ts'
import { SESSION_AGENT_NAMES } from '../../../../core/vocabulary/session.ts'
import { counted } from '../../format/counted.ts'
import { sentence } from '../../format/sentence.ts'
import { useAnswer } from '../../store/use-answer.ts'
import { useApp } from '../../store/use-app.ts'
import { Button } from '../../ui/button.tsx'
import { NotLoaded } from '../../ui/not-loaded.tsx'
import { OpenFileButton } from '../../ui/open-file-button.tsx'
import { Prose } from '../../ui/prose.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { useSubmit } from '../../ui/use-submit.ts'
import { VerdictGlyph } from '../../ui/verdict-glyph.tsx'
import { Comparisons } from '../attempt/comparisons.tsx'
import { repeatsComparison } from './session-words.ts'
import styles from './sessions.module.css'

/** The number that is kept. */
const LAST = 50

/** One session with its turns, the newest first: what was claimed, what was measured, what the agent was told. */
export function SessionScreen({ workspaceId, sessionId }: { workspaceId: string; sessionId: string }) {
  const freshness = useApp((state) => state.details[workspaceId]?.marks.sessions)
  const { value, problem, retry } = useAnswer(
    (api) => api.sessions.list,
    { workspace: workspaceId, last: LAST },
    freshness,
  )
  if (value === null) {
    if (problem === null) return <Skeleton width="60%" />
    return <NotLoaded what="The session" problem={problem} retry={retry} />
  }
  const session = value.sessions.find((one) => one.sessionId === sessionId)
  if (session === undefined)
    return (
      <p>
        There is no session <code>{harmlessLine(sessionId)}</code> among the latest {LAST}. Older turns are on
        the timeline.
      </p>
    )
  return <Session workspaceId={workspaceId} session={session} />
}

function Session({ workspaceId, session }: { workspaceId: string; session: SessionView }) {
  const { agent, running, startedAt, lastAt, directory, taskId, silent, needsDecision, turns } = session
  return (
    <section className="stack gap-3" aria-label="Session">
      <header className="stack gap-3">
        <h2>Session of {SESSION_AGENT_NAMES[agent]}</h2>
        <p className="measure quiet breaks pretty">
          {running ? 'Running' : 'Ended'}, began <RelativeTime at={startedAt} />, last heard from{' '}
          <RelativeTime at={lastAt} />, in <bdi>{harmlessLine(directory)}</bdi>
          {taskId !== null && (
            <>
              , for the task <bdi>{taskId}</bdi>
            </>
          )}
          . {turnsInWords(session)}.
        </p>
        {silent !== null && (
          <p dir="auto">
            <Prose text={sentence(silent)} />
          </p>
        )}
        {needsDecision && <Seen workspaceId={workspaceId} session={session} />}
      </header>
      <ol className="card rows" reversed>
        {turns.toReversed().map((turn, index) => (
          <Turn key={turn.seq} workspaceId={workspaceId} turn={turn} isFirst={index === 0} />
        ))}
      </ol>
    </section>
  )
}

function Seen({ workspaceId, session: { sessionId } }: { workspaceId: string; session: SessionView }) {
  const api = useApp((state) => state.api)
  const refresh = useApp((state) => state.refresh)
  const { busy, problem, submit } = useSubmit()
  const see = () =>
    void submit(async () => {
      await api.sessions.see({ workspace: workspaceId, session: sessionId })
      await refresh()
    })
  return (
    <p className={styles.head}>
      <span>It stopped, and its last turn was not verified.</span>
      <Button acts aria-disabled={busy} onClick={see}>
        Seen
      </Button>
      {problem !== null && <span role="alert">{problem}</span>}
    </p>
  )
}

function Turn({
  workspaceId,
  turn,
  isFirst,
}: {
  workspaceId: string
  turn: SessionView['turns'][number]
  isFirst: boolean
}) {
  const [isOpen, setOpen] = useState(isFirst)
  const kind = shownTurn(turn)
  return (
    <li className={styles.row}>
      <span className={styles.glyph}>{kind !== null && <VerdictGlyph kind={kind} />}</span>
      <div className="stack gap-half shrinks breaks">
        <p className={styles.head}>
          <button
            type="button"
            className="bare quiet-link strong"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {turnWords(turn)}
          </button>
          <span className="measure quiet breaks pretty">
            <RelativeTime at={turn.at} />
            {turn.mode === 'shadow' && ', shadow mode'}
          </span>
        </p>
        {isOpen && <Details workspaceId={workspaceId} seq={turn.seq} />}
      </div>
    </li>
  )
}

function Details({ workspaceId, seq }: { workspaceId: string; seq: number }) {
  const {
    value: turn,
    problem,
    retry,
  } = useAnswer((api) => api.sessions.turn, { workspace: workspaceId, seq })
  if (turn === null) {
    if (problem === null) return <Skeleton width="60%" height={40} />
    return <NotLoaded what="This turn" problem={problem} retry={retry} />
  }
  const more = turn.filesChangedCount - turn.filesChanged.length
  const reasons = turn.reasons.filter((reason) => !repeatsComparison(reason, turn.comparisons))
  return (
    <div className={styles.details}>
      {turn.comparisons.length > 0 && (
        <Comparisons
          comparisons={turn.comparisons}
          label="Claim and measurement"
          isContradiction={turn.contradiction}
        />
      )}
      {reasons.length > 0 && (
        <ul aria-label="Reasons">
          {reasons.map((reason) => (
            <li key={reason} dir="auto">
              <Prose text={sentence(reason)} />
            </li>
          ))}
        </ul>
      )}
      <dl className="facts">
        {turn.said !== null && (
          <>
            <dt>Sent to the agent</dt>
            <dd dir="auto">
              <Prose text={turn.said} />
            </dd>
          </>
        )}
        <dt>Changed</dt>
        <dd>
          {turn.filesChangedCount === 0 ? 'no files' : counted(turn.filesChangedCount, 'file')}
          {turn.filesChanged.length > 0 && (
            <ul>
              {turn.filesChanged.map((path) => (
                <li key={path}>
                  <OpenFileButton workspaceId={workspaceId} path={path}>
                    <bdi>{harmlessLine(path)}</bdi>
                  </OpenFileButton>
                </li>
              ))}
              {more > 0 && <li>and {more} more</li>}
            </ul>
          )}
        </dd>
        <dt>Took</dt>
        <dd>{takenDuration(turn.durationMs)}</dd>
        {turn.points !== 0 && (
          <>
            <dt>Points</dt>
            <dd>{formatSignedPoints(turn.points)}</dd>
          </>
        )}
      </dl>
    </div>
  )
}
