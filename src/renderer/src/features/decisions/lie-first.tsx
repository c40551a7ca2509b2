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
  /** Whether an agent is currently running in this workspace. */
  readonly running: boolean
}

/** The unreviewed contradictions, with the worst one large: shown before anything else until they are reviewed. */
export function UnreviewedFirst({
  contradictions,
  count,
  otherFindings,
  ...place
}: Place & {
  /** The worst first. */
  contradictions: readonly Unreviewed[]
  /** The count of all, including those that are not listed. */
  count: number
  /** How many of them are not about a contradicted claim. */
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

/** Returns the address that shows it in full; `null` if there is none. */
function addressOf(
  workspaceId: string,
  { attemptId, sessionId }: Pick<Unreviewed, 'attemptId' | 'sessionId'>,
): string | null {
  if (attemptId !== null) return routeTo(workspaceId, 'attempt', attemptId)
  return sessionId === null ? null : routeTo(workspaceId, 'session', sessionId)
}

/** If there are more than these, only their number is shown. */
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

/** The worst contradiction of today, once reviewed: what an agent claimed next to what was measured. */
export function LieFirst({
  attempt,
  goodSince,
  ...place
}: Place & {
  attempt: AttemptRow
  /** The later attempt at the task that corrected it. */
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

/** Whether there is anything to restore: it changed files that have not been restored since. */
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
      <div className="row flow gap-3">
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
          <a className="small" href={address}>
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
