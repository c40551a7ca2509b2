import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'
import type { AttemptDetail } from '../../../../core/read-model/attempt.ts'
import { formatSignedPoints } from '../../../../core/scoring/format.ts'
import type { Thumb } from '../../../../core/vocabulary/task.ts'
import { shownVerdict, VERDICT_WORDS } from '../../../../core/vocabulary/verdict.ts'
import { routeTo } from '../../route/route.ts'
import { useAnswer } from '../../store/use-answer.ts'
import { useApp } from '../../store/use-app.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { VerdictGlyph } from '../../ui/verdict-glyph.tsx'
import { AttemptBody } from './attempt-panel.tsx'
import styles from './attempt-screen.module.css'
import { LiveOutput } from './live-output.tsx'

/** Shows one attempt at its own address. */
export function AttemptScreen({ workspaceId, attemptId }: { workspaceId: string; attemptId: string }) {
  const freshness = useApp((state) => state.details[workspaceId]?.marks.attempts)
  const running = useApp((state) => state.details[workspaceId]?.running?.attempt ?? null)
  const { value, problem, retry } = useAnswer(
    (api) => api.attempts.get,
    { workspace: workspaceId, id: attemptId },
    freshness,
  )
  if (value !== null && value.attemptId === attemptId)
    return <Attempt key={attemptId} workspaceId={workspaceId} detail={value} />
  if (running !== null && running.attemptId === attemptId) {
    return (
      <section className="stack gap-4" aria-label="Attempt">
        <h2 className={styles.title}>
          <bdi>{running.taskId}</bdi>
        </h2>
        <p>It is running. Its result appears here when it ends.</p>
        <LiveOutput workspaceId={workspaceId} attemptId={attemptId} />
      </section>
    )
  }
  if (problem === null) return <Skeleton width="60%" />
  return (
    <p role="alert">
      {problem.message}{' '}
      <Button look="quiet" onClick={retry}>
        Try again
      </Button>
    </p>
  )
}

function Attempt({ workspaceId, detail: fetched }: { workspaceId: string; detail: AttemptDetail }) {
  const detail = useGivenFeedback(workspaceId, fetched)
  const kind = shownVerdict(detail)
  useThumbKeys(workspaceId, detail)
  return (
    <section className="stack gap-4" aria-label="Attempt">
      <header className={styles.header}>
        <VerdictGlyph kind={kind} />
        <div className="stack gap-half breaks">
          <h2 className={styles.title}>
            <bdi>{detail.taskId}</bdi>
          </h2>
          {detail.description !== '' && (
            <p className="quiet" dir="auto">
              {detail.description}
            </p>
          )}
          <p className={styles.verdict} data-kind={kind}>
            {VERDICT_WORDS[kind].title}
            {detail.verdict !== null && `, ${formatSignedPoints(detail.points)} points`} in heartbeat{' '}
            {detail.cycle}
          </p>
        </div>
        <nav className={styles.nav} aria-label={`Attempts at ${detail.taskId}`}>
          <Neighbour workspaceId={workspaceId} id={detail.previousId} words="Previous attempt" />
          <Neighbour workspaceId={workspaceId} id={detail.nextId} words="Next attempt" />
          {detail.entryId !== null && (
            <a className={styles.link} href={routeTo(workspaceId, 'timeline', detail.entryId)}>
              On the timeline
            </a>
          )}
        </nav>
      </header>
      <AttemptBody
        key={detail.attemptId}
        workspaceId={workspaceId}
        attempt={detail}
        detail={detail}
        isWhole
      />
      <p className={styles.keys}>
        <kbd>+</kbd> and <kbd>−</kbd> give thumbs up and down; the same one again changes nothing.
      </p>
    </section>
  )
}

function Neighbour({ workspaceId, id, words }: { workspaceId: string; id: string | null; words: string }) {
  const Icon = words.startsWith('Previous') ? ChevronLeft : ChevronRight
  if (id === null) return null
  return (
    <a className={styles.link} href={routeTo(workspaceId, 'attempt', id)}>
      {words.startsWith('Previous') && <Icon size={14} aria-hidden />}
      {words}
      {!words.startsWith('Previous') && <Icon size={14} aria-hidden />}
    </a>
  )
}

/**
 * Returns the attempt with the thumb that counts now: the one being given; else what the host last said about the attempt in its latest
 * list, which is known before the attempt is fetched again; else the one that was given after it was fetched.
 */
function useGivenFeedback(workspaceId: string, fetched: AttemptDetail): AttemptDetail {
  const { attemptId } = fetched
  const pending = useApp((state) => state.pendingFeedback[attemptId])
  const said = useApp(
    ({ details }) => details[workspaceId]?.attempts.find((row) => row.attemptId === attemptId)?.feedback,
  )
  const given = useRef<{ readonly thumb: Thumb; readonly over: AttemptDetail } | null>(null)
  if (pending !== undefined) given.current = { thumb: pending, over: fetched }
  else if (given.current?.over !== fetched) given.current = null
  if (pending === undefined && said !== undefined) return { ...fetched, feedback: said }
  return given.current === null ? fetched : { ...fetched, feedback: given.current.thumb }
}

/** Handles `+` and `-` wherever the focus is, except in input fields and dialogs. */
function useThumbKeys(workspaceId: string, { attemptId, feedback }: AttemptDetail): void {
  const giveFeedback = useApp((state) => state.giveFeedback)
  // Together with what is visible: a key pressed in between would give the thumb that is already shown.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const given = event.key === '+' ? 'up' : event.key === '-' || event.key === '−' ? 'down' : null
      if (given === null || given === feedback || event.ctrlKey || event.metaKey || event.altKey) return
      const target = event.target instanceof HTMLElement ? event.target : null
      if (target?.closest('input, textarea, select, [contenteditable], [role=dialog]') != null) return
      event.preventDefault()
      void giveFeedback(workspaceId, attemptId, given)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [giveFeedback, workspaceId, attemptId, feedback])
}
