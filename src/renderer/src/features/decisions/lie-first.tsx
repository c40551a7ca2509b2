import { type ReactNode, useState } from 'react'
import type { Unreviewed } from '../../../../core/read-model/unreviewed.ts'
import { unreviewedCount } from '../../../../core/vocabulary/unreviewed.ts'
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

interface Place {
  readonly workspaceId: string
  readonly agentId: string | null
  /** An agent is at work in this workspace now. */
  readonly running: boolean
}

/** The contradictions that have not been reviewed, the gravest large: before anything else, until they are seen. */
export function UnreviewedFirst({
  contradictions,
  count,
  otherFindings,
  ...place
}: Place & {
  /** The gravest first. */
  contradictions: readonly Unreviewed[]
  /** Of all, also of those that are not listed. */
  count: number
  /** How many of them no claim contradicts. */
  otherFindings: number | undefined
}) {
  const markSeen = useApp((state) => state.markSeen)
  const [gravest, ...others] = contradictions
  if (gravest === undefined) return null
  const { workspaceId } = place
  const { id, attempt, attemptId, sessionId, taskId, at, because, words } = gravest
  return (
    <LieCard
      label={count === otherFindings ? 'Findings, not reviewed' : 'Contradictions, not reviewed'}
      heading={unreviewedCount(count, otherFindings)}
      isContradiction={count !== otherFindings}
      taskId={taskId}
      points={attempt?.points ?? null}
      // Of another finding it is not what was claimed that is grave.
      comparisons={because === 'contradiction' ? (attempt?.comparisons ?? []) : []}
      words={words}
      about={<When cycle={attempt?.cycle ?? null} at={attempt?.startedAt ?? at} />}
    >
      <Actions
        {...place}
        attemptId={attemptId}
        sessionId={sessionId}
        taskId={taskId}
        canRestore={attempt !== null && canRestore(attempt)}
        first={
          <Button
            acts
            look="primary"
            title="Marks it as reviewed; the verdict stays"
            onClick={() => void markSeen(workspaceId, id)}
          >
            Seen
          </Button>
        }
      />
      {count > 1 && (
        <Others
          workspaceId={workspaceId}
          others={others}
          count={count - 1}
          onAll={() => void markSeen(workspaceId, null)}
        />
      )}
    </LieCard>
  )
}

/** Where it is shown whole; `null`: nowhere. */
function addressOf(
  workspaceId: string,
  { attemptId, sessionId }: Pick<Unreviewed, 'attemptId' | 'sessionId'>,
): string | null {
  if (attemptId !== null) return routeTo(workspaceId, 'attempt', attemptId)
  return sessionId === null ? null : routeTo(workspaceId, 'session', sessionId)
}

/** More than these are counted. */
const SHOWN_OTHERS = 4

function Others({
  workspaceId,
  others,
  count,
  onAll,
}: {
  workspaceId: string
  others: readonly Unreviewed[]
  count: number
  onAll: () => void
}) {
  const shown = others.slice(0, SHOWN_OTHERS)
  return (
    <div className={styles.others}>
      <ul>
        {shown.map(({ words, ...one }) => {
          const address = addressOf(workspaceId, one)
          return (
            <li key={one.id} dir="auto">
              {address === null ? words : <a href={address}>{words}</a>}
            </li>
          )
        })}
        {count > shown.length && <li>and {count - shown.length} more</li>}
      </ul>
      <Button acts look="quiet" onClick={onAll}>
        Mark all as seen
      </Button>
    </div>
  )
}

/** The gravest contradiction of today, once it has been reviewed: what an agent claimed beside what was measured. */
export function LieFirst({
  attempt,
  goodSince,
  ...place
}: Place & {
  attempt: AttemptRow
  /** The later attempt at the task that made it good. */
  goodSince: AttemptRow | null
}) {
  const { taskId, attemptId, cycle, startedAt, points, comparisons } = attempt
  return (
    <LieCard
      label="The gravest contradiction of today"
      taskId={taskId}
      points={points}
      comparisons={comparisons}
      about={
        <>
          <When cycle={cycle} at={startedAt} />
          {goodSince !== null && (
            <a href={routeTo(place.workspaceId, 'attempt', goodSince.attemptId)}>
              fixed in heartbeat {goodSince.cycle}
            </a>
          )}
        </>
      }
    >
      <Actions {...place} attemptId={attemptId} taskId={taskId} canRestore={canRestore(attempt)} />
    </LieCard>
  )
}

function When({ cycle, at }: { cycle: number | null; at: string }) {
  return (
    <span>
      {cycle !== null && `heartbeat ${cycle}, `}
      <RelativeTime at={at} />
    </span>
  )
}

/** Whether there is anything to restore: it changed files, and they have not been restored since. */
function canRestore({ undone, filesChangedCount }: AttemptRow): boolean {
  return undone === undefined && filesChangedCount !== 0
}

function Actions({
  workspaceId,
  agentId,
  running,
  attemptId,
  sessionId = null,
  taskId,
  canRestore: isRestorable,
  first,
}: Place & {
  attemptId: string | null
  sessionId?: string | null
  taskId: string | null
  canRestore: boolean
  first?: ReactNode
}) {
  const stopNow = useApp((state) => state.stopNow)
  const { open: telling, setOpen: setTelling, opener } = useOpener()
  const address = addressOf(workspaceId, { attemptId, sessionId })
  return (
    <>
      <div className={styles.actions}>
        {first}
        {isRestorable && attemptId !== null && (
          <RestoreFiles workspaceId={workspaceId} attemptId={attemptId} />
        )}
        {!telling && sessionId === null && (
          <Button acts ref={opener} onClick={() => setTelling(true)}>
            Message to the agent…
          </Button>
        )}
        {running && (
          <Button
            acts
            title="Ends the agent and this heartbeat now. Nothing is scored."
            onClick={() => void stopNow(workspaceId)}
          >
            Stop
          </Button>
        )}
        {address !== null && (
          <a className={styles.whole} href={address}>
            {attemptId === null ? 'View session' : 'View attempt'}
          </a>
        )}
      </div>
      {telling && (
        <NoteForm
          workspaceId={workspaceId}
          whose={agentId ?? 'the agent'}
          taskId={taskId}
          onClose={() => setTelling(false)}
        />
      )}
    </>
  )
}

function RestoreFiles({ workspaceId, attemptId }: { workspaceId: string; attemptId: string }) {
  const { putBack } = usePutBack(workspaceId, attemptId)
  const [isBusy, setBusy] = useState(false)
  return (
    <Button
      acts
      title="Restores the files as they were before the attempt, untracked files included; you can undo it"
      aria-disabled={isBusy}
      onClick={() => {
        if (isBusy) return
        setBusy(true)
        void putBack().finally(() => setBusy(false))
      }}
    >
      Restore files
    </Button>
  )
}
