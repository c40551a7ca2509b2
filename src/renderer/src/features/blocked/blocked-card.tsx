import { Ban } from 'lucide-react'
import { useState } from 'react'
import type { BlockedTask } from '../../../../core/read-model/blocked-task.ts'
import { COMPLEXITY_WORDS } from '../../../../core/vocabulary/complexity.ts'
import { routeTo } from '../../route/route.ts'
import { navigate } from '../../route/use-route.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { Prose } from '../../ui/prose.tsx'
import { Term } from '../../ui/term.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import styles from './blocked-card.module.css'
import { closeByKey } from './close-by-key.ts'
import { PastAttempts } from './past-attempts.tsx'
import { type SuggestedAction, suggestedActions } from './suggested-action.ts'
import { UnblockForm } from './unblock-form.tsx'
import { useUnblock } from './use-unblock.ts'

/** One blocked task: why it is blocked, what would likely help, and what was tried. */
export function BlockedCard({
  workspaceId,
  task,
  onUnblocked,
}: {
  workspaceId: string
  task: BlockedTask
  onUnblocked: () => void
}) {
  const [shownId, setShownId] = useState<string | null>(null)
  const lookAtLast = () => {
    const last = task.history.find((entry) => entry.kind === 'attempt')
    setShownId(last?.attemptId ?? null)
  }
  return (
    <li className={styles.card} data-task={task.taskId} data-place={task.taskId} data-row>
      <header className={styles.head}>
        <Ban className={styles.glyph} size={16} aria-hidden />
        <h3 className={styles.id}>
          <bdi>{task.taskId}</bdi>
        </h3>
        <span className={styles.level}>
          <Term name="complexity">{COMPLEXITY_WORDS[task.level]} work</Term>
        </span>
      </header>
      <div className={styles.body}>
        {task.description !== task.taskId && (
          <p className="small quiet" dir="auto">
            {task.description}
          </p>
        )}
        {task.cause === null ? (
          <p className="medium">{task.reason}</p>
        ) : (
          <>
            <p className="medium" dir="auto">
              <Prose text={task.cause} />
            </p>
            <p className="small quiet">{task.reason}</p>
          </>
        )}
        <Swept task={task} />
        <WayOn workspaceId={workspaceId} task={task} onLook={lookAtLast} onUnblocked={onUnblocked} />
        <PastAttempts workspaceId={workspaceId} task={task} shownId={shownId} onShow={setShownId} />
      </div>
    </li>
  )
}

function Swept({ task: { swept, suggestion } }: { task: BlockedTask }) {
  if (swept === null) return null
  const lead =
    swept.holds === null ? 'Cannot be checked' : swept.holds ? 'Its check passed' : 'Its check failed'
  // The suggestion to unblock it states the same reason.
  const isSaidBelow =
    suggestion?.kind === 'already_done' || suggestion?.reason.includes(swept.reason) === true
  return (
    <p className={styles.swept} data-holds={String(swept.holds)} dir="auto">
      {lead}, first seen <RelativeTime at={swept.at} />
      {!isSaidBelow && (
        <>
          : <Prose text={swept.reason} />
        </>
      )}
    </p>
  )
}

/** The suggestion with its reason and its action, and another way to unblock. */
function WayOn({
  workspaceId,
  task,
  onLook,
  onUnblocked,
}: {
  workspaceId: string
  task: BlockedTask
  onLook: () => void
  onUnblocked: () => void
}) {
  const [opened, setOpened] = useState<'tell' | 'otherwise' | null>(null)
  const [reason, setReason] = useState('')
  const { busy, problem, unblock } = useUnblock(workspaceId, task, onUnblocked)
  const actions = suggestedActions(task)
  const toggle = (which: 'tell' | 'otherwise') => setOpened(opened === which ? null : which)
  const act = (action: SuggestedAction) => {
    if (busy) return
    if (action.kind === 'contract') navigate(routeTo(workspaceId, 'contract', task.taskId))
    else if (action.kind === 'setup') navigate(routeTo(workspaceId, 'setup'))
    else if (action.kind === 'look') onLook()
    else if (action.kind === 'tell') toggle('tell')
    else void unblock(action)
  }
  const canUnblock = actions.some(({ kind }) => kind === 'unblock')
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the key is pressed in the form below
    <div className={styles.wayOn} onKeyDown={closeByKey(opened === null ? null : () => setOpened(null))}>
      {task.suggestion !== null && (
        <p className={styles.why} dir="auto">
          <Prose text={task.suggestion.reason} />
        </p>
      )}
      <div className="flow">
        {actions.map((action, index) => (
          <Button
            key={action.label}
            look={index === 0 ? 'primary' : 'plain'}
            acts={action.kind === 'unblock' || action.kind === 'tell'}
            aria-disabled={busy}
            aria-expanded={action.kind === 'tell' ? opened === 'tell' : undefined}
            onClick={() => act(action)}
          >
            {action.label}
            <VisuallyHidden> for {task.taskId}</VisuallyHidden>
          </Button>
        ))}
        <Button
          look={actions.length === 0 ? 'plain' : 'quiet'}
          acts
          aria-expanded={opened === 'otherwise'}
          onClick={() => toggle('otherwise')}
        >
          {canUnblock ? 'Unblock with options…' : 'Unblock…'}
          <VisuallyHidden> for {task.taskId}</VisuallyHidden>
        </Button>
      </div>
      <ProblemNote text={problem} />
      {opened !== null && (
        <UnblockForm
          key={opened}
          task={task}
          busy={busy}
          isTelling={opened === 'tell'}
          reason={reason}
          onReason={setReason}
          onUnblock={unblock}
        />
      )}
    </div>
  )
}
