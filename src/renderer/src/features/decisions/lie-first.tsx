import { useState } from 'react'
import type { AttemptRow } from '../../format/verdict.ts'
import { routeTo } from '../../route/route.ts'
import { useApp } from '../../store/use-app.ts'
import { Button } from '../../ui/button.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { useOpener } from '../../ui/use-opener.ts'
import { usePutBack } from '../attempt/use-put-back.ts'
import { NoteForm } from '../notes/note-form.tsx'
import { LieCard } from './lie-card.tsx'
import styles from './lie-first.module.css'

/** What an agent claimed beside what was measured, large, before anything else: the gravest contradiction of today. */
export function LieFirst({
  workspaceId,
  agentId,
  attempt,
  goodSince,
  running,
}: {
  workspaceId: string
  agentId: string | null
  attempt: AttemptRow
  /** The later attempt at the task that made it good. */
  goodSince: AttemptRow | null
  /** An agent is at work in this workspace now. */
  running: boolean
}) {
  const stopNow = useApp((state) => state.stopNow)
  const { open: telling, setOpen: setTelling, opener } = useOpener()
  const { taskId, attemptId, cycle, startedAt } = attempt
  return (
    <LieCard
      attempt={attempt}
      about={
        <>
          <span>
            heartbeat {cycle}, <RelativeTime at={startedAt} />
          </span>
          {goodSince !== null && (
            <a href={routeTo(workspaceId, 'attempt', goodSince.attemptId)}>
              made good since, in heartbeat {goodSince.cycle}
            </a>
          )}
        </>
      }
    >
      <div className={styles.actions}>
        {attempt.undone === undefined && <PutFilesBack workspaceId={workspaceId} attemptId={attemptId} />}
        {!telling && (
          <Button acts ref={opener} onClick={() => setTelling(true)}>
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
    </LieCard>
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
