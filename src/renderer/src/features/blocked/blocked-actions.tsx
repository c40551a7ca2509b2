import { type FormEvent, useState } from 'react'
import type { BlockedTask } from '../../../../api/schemas/blocked-task.ts'
import { toProblem } from '../../api-client/problem.ts'
import { COMPLEXITY_WORDS } from '../../format/complexity.ts'
import { useApp } from '../../store/use-app.ts'
import { Button } from '../../ui/button.tsx'
import { Prose } from '../../ui/prose.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useSubmit } from '../../ui/use-submit.ts'
import styles from './blocked.module.css'
import { blockedLevels } from './levels.ts'
import { type Report, sweepReport, unblockReport } from './report.ts'

const explain = (error: unknown) => toProblem(error).message

/** What can be done about all blocked tasks at once, and below it what came of that. */
export function BlockedActions({
  workspaceId,
  tasks,
}: {
  workspaceId: string
  tasks: readonly BlockedTask[]
}) {
  const api = useApp((state) => state.api)
  const refresh = useApp((state) => state.refresh)
  const { busy, problem, submit } = useSubmit(explain)
  const [report, setReport] = useState<Report | null>(null)
  const [byLevel, setByLevel] = useState(false)
  const run = (action: () => Promise<Report>) =>
    submit(async () => {
      setReport(null)
      setReport(await action())
      await refresh()
    })
  const sweep = async () => sweepReport(await api.tasks.sweep({ workspace: workspaceId }))
  const retryAll = async () => unblockReport(await api.tasks.retryBlocked({ workspace: workspaceId }))
  const unblockLevel = (filter: BlockedTask['level'], timeoutMultiplier: number) =>
    run(async () =>
      unblockReport(await api.tasks.unblockLevel({ workspace: workspaceId, filter, timeoutMultiplier })),
    )
  return (
    <div className={styles.actions}>
      {tasks.length > 0 && (
        <div className={styles.buttons}>
          <Button aria-disabled={busy} onClick={() => void run(sweep)}>
            Check again
          </Button>
          <Button aria-disabled={busy} onClick={() => void run(retryAll)}>
            Retry all
          </Button>
          <Button look="quiet" aria-expanded={byLevel} onClick={() => setByLevel(!byLevel)}>
            By kind of work…
          </Button>
        </div>
      )}
      {tasks.length > 0 && byLevel && <LevelForm tasks={tasks} busy={busy} onUnblock={unblockLevel} />}
      {problem !== null && (
        <p className={styles.error} role="alert">
          {problem}
        </p>
      )}
      <div role="status" aria-label="Result">
        {report !== null && <ReportView report={report} />}
      </div>
    </div>
  )
}

/** What a timeout that was too short is usually multiplied by. */
const USUAL_MULTIPLIER = '1.5'

function LevelForm({
  tasks,
  busy,
  onUnblock,
}: {
  tasks: readonly BlockedTask[]
  busy: boolean
  onUnblock: (level: BlockedTask['level'], multiplier: number) => Promise<void>
}) {
  const levels = blockedLevels(tasks)
  const [chosen, setChosen] = useState<string | null>(null)
  const [multiplier, setMultiplier] = useState(USUAL_MULTIPLIER)
  const level = (levels.find((each) => each.level === chosen) ?? levels[0])?.level
  const factor = Number(multiplier)
  const valid = level !== undefined && factor > 0 && factor <= 1000
  const unblock = (event: FormEvent) => {
    event.preventDefault()
    if (valid && !busy) void onUnblock(level, factor)
  }
  return (
    <form className={styles.levelForm} onSubmit={unblock}>
      <SelectField
        label="Kind of work"
        value={level ?? ''}
        onChange={(event) => setChosen(event.target.value)}
      >
        {levels.map((each) => (
          <option key={each.level} value={each.level}>
            {COMPLEXITY_WORDS[each.level]} ({each.count})
          </option>
        ))}
      </SelectField>
      <TextField
        label="Planned timeout times"
        type="number"
        min={0.1}
        max={1000}
        step="any"
        value={multiplier}
        onChange={(event) => setMultiplier(event.target.value)}
      />
      <Button type="submit" aria-disabled={busy || !valid}>
        Unblock these
      </Button>
    </form>
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
