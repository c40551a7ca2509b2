import { useState } from 'react'
import type { BlockedTask, UnblockReport } from '../../../../core/read-model/blocked-task.ts'
import { useApp } from '../../store/use-app.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { Prose } from '../../ui/prose.tsx'
import { useSubmit } from '../../ui/use-submit.ts'
import styles from './blocked.module.css'
import { BulkForm, RetryForm } from './bulk-forms.tsx'
import { closeByKey } from './close-by-key.ts'
import { type Report, sweepReport, unblockedInWords, unblockReport } from './report.ts'
import { useUndo } from './use-undo.ts'

/** Actions on several blocked tasks at once, and their result below. */
export function BlockedActions({
  workspaceId,
  tasks,
  shown,
}: {
  workspaceId: string
  /** All blocked tasks, which "retry all" applies to. */
  tasks: readonly BlockedTask[]
  /** The tasks that pass the filter and are unblocked together. */
  shown: readonly BlockedTask[]
}) {
  const api = useApp((state) => state.api)
  const refresh = useApp((state) => state.refresh)
  const offerUndo = useUndo(workspaceId)
  const { busy, problem, submit } = useSubmit()
  const [report, setReport] = useState<Report | null>(null)
  const [opened, setOpened] = useState<'bulk' | 'retry' | null>(null)
  const [reason, setReason] = useState('')
  const run = (action: () => Promise<Report>) =>
    submit(async () => {
      setReport(null)
      setReport(await action())
      await refresh()
    })
  const unblock = (action: () => Promise<UnblockReport>) =>
    void run(async () => {
      const answer = await action()
      const { unblocked } = answer
      offerUndo(
        unblocked.map(({ taskId }) => taskId),
        `${unblockedInWords(unblocked.length)}.`,
      )
      setOpened(null)
      setReason('')
      return unblockReport(answer)
    })
  const toggle = (which: 'bulk' | 'retry') => setOpened(opened === which ? null : which)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the key is pressed in the forms below
    <div className={styles.actions} onKeyDown={closeByKey(opened === null ? null : () => setOpened(null))}>
      {tasks.length > 0 && (
        <div className="flow">
          <Button
            acts
            aria-disabled={busy}
            onClick={() =>
              void run(async () => sweepReport(await api.tasks.sweep({ workspace: workspaceId })))
            }
          >
            Check again
          </Button>
          <Button acts aria-expanded={opened === 'retry'} onClick={() => toggle('retry')}>
            Retry all…
          </Button>
          {/* A single task has the same button on its card. */}
          {tasks.length > 1 && shown.length > 0 && (
            <Button acts aria-expanded={opened === 'bulk'} onClick={() => toggle('bulk')}>
              {shown.length === tasks.length ? 'Unblock all…' : `Unblock these ${shown.length}…`}
            </Button>
          )}
        </div>
      )}
      {opened === 'retry' && tasks.length > 0 && (
        <RetryForm
          count={tasks.length}
          busy={busy}
          onRetry={(maxAttempts) =>
            unblock(() => api.tasks.retryBlocked({ workspace: workspaceId, maxAttempts }))
          }
        />
      )}
      {opened === 'bulk' && shown.length > 0 && (
        <BulkForm
          count={shown.length}
          busy={busy}
          reason={reason}
          onReason={setReason}
          onUnblock={(how) =>
            unblock(() => {
              const ids = shown.map(({ taskId }) => taskId)
              return api.tasks.unblockMany({ workspace: workspaceId, ids, ...how })
            })
          }
        />
      )}
      <ProblemNote text={problem} />
      <div role="status" aria-label="Result">
        {report !== null && <ReportView report={report} />}
      </div>
    </div>
  )
}

function ReportView({ report }: { report: Report }) {
  return (
    <div className={styles.report}>
      <p>{report.summary}</p>
      {report.lines.length > 0 && (
        <ul>
          {report.lines.map(({ taskId, words }) => (
            <li key={taskId} dir="auto">
              <code>{taskId}</code> <Prose text={words} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
