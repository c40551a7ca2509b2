import { useState } from 'react'
import { refutedFirst } from '../../../../core/read-model/lie-words.ts'
import { formatSignedPoints } from '../../../../core/scoring/format.ts'
import type { AttemptRow } from '../../format/verdict.ts'
import { routeTo } from '../../route/route.ts'
import { useApp } from '../../store/use-app.ts'
import { Button } from '../../ui/button.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { EqualitySign } from '../../ui/verdict-glyph.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { usePutBack } from '../attempt/use-put-back.ts'
import { NoteForm } from '../notes/note-form.tsx'
import styles from './lie-first.module.css'

/** Beyond the first, a number says how many more. */
const SHOWN = 2

/** What an agent claimed beside what was measured, large, before anything else: the gravest contradiction of today. */
export function LieFirst({
  workspaceId,
  agentId,
  attempt,
  running,
}: {
  workspaceId: string
  agentId: string | null
  attempt: AttemptRow
  /** An agent is at work in this workspace now. */
  running: boolean
}) {
  const stopNow = useApp((state) => state.stopNow)
  const [telling, setTelling] = useState(false)
  const { taskId, attemptId, cycle, startedAt, points, comparisons } = attempt
  const lies = refutedFirst(comparisons)
  return (
    <section className={styles.lie} aria-label="The gravest contradiction of today">
      <p className={styles.where}>
        <strong>
          <bdi>{taskId}</bdi>
        </strong>
        <span className={styles.points}>
          {formatSignedPoints(points)}
          <VisuallyHidden> points</VisuallyHidden>
        </span>
        <span>
          heartbeat {cycle}, <RelativeTime at={startedAt} />
        </span>
      </p>
      <ul className={styles.pairs}>
        {lies.slice(0, SHOWN).map(({ subject, claimed, measured }) => (
          <li key={`${subject}\n${claimed}`} className={styles.pair}>
            <span className={styles.side}>
              <VisuallyHidden>claimed </VisuallyHidden>
              <bdi className={styles.subject}>{subject}</bdi>{' '}
              <bdi className={styles.value}>{claimed ?? 'nothing'}</bdi>
            </span>
            <EqualitySign agrees={false} large />
            <span className={styles.side}>
              <VisuallyHidden>measured </VisuallyHidden>
              <bdi className={styles.value} data-measured>
                {measured ?? 'not measurable'}
              </bdi>
            </span>
          </li>
        ))}
      </ul>
      {lies.length > SHOWN && <p className={styles.more}>and {lies.length - SHOWN} more</p>}
      <div className={styles.actions}>
        {attempt.undone === undefined && <PutFilesBack workspaceId={workspaceId} attemptId={attemptId} />}
        {!telling && (
          <Button acts onClick={() => setTelling(true)}>
            Tell the agent…
          </Button>
        )}
        {running && (
          <Button
            acts
            title="Ends the agent and this heartbeat now. Nobody is scored."
            onClick={() => void stopNow(workspaceId)}
          >
            Stop
          </Button>
        )}
        <a className={styles.whole} href={routeTo(workspaceId, 'attempt', attemptId)}>
          Whole attempt
        </a>
      </div>
      {telling && (
        <NoteForm
          workspaceId={workspaceId}
          whose={agentId ?? 'the agent'}
          taskId={taskId}
          onClose={() => setTelling(false)}
        />
      )}
    </section>
  )
}

function PutFilesBack({ workspaceId, attemptId }: { workspaceId: string; attemptId: string }) {
  const { putBack } = usePutBack(workspaceId, attemptId)
  const [isBusy, setBusy] = useState(false)
  return (
    <Button
      acts
      title="As before the attempt, untracked files included; it can be taken back"
      aria-disabled={isBusy}
      onClick={() => {
        if (isBusy) return
        setBusy(true)
        void putBack().finally(() => setBusy(false))
      }}
    >
      Put files back
    </Button>
  )
}
