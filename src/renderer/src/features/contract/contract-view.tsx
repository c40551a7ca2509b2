import { CircleX, TriangleAlert } from 'lucide-react'
import type { Task } from '../../../../api/schemas/task.ts'
import type { WorkspaceDetail } from '../../../../api/schemas/workspace.ts'
import { counted } from '../../format/counted.ts'
import { useLongList } from '../../ui/use-long-list.tsx'
import styles from './contract.module.css'

type Diagnostic = WorkspaceDetail['diagnostics'][number]

/** The contract as it is read: every task with what it is held to, and what is wrong at its line. */
export function ContractView({ detail }: { detail: WorkspaceDetail }) {
  const { tasks, diagnostics } = detail
  const taskLines = new Set(tasks.map((task) => task.line))
  const elsewhere = useLongList(diagnostics.filter((diagnostic) => !taskLines.has(diagnostic.line)))
  const shownTasks = useLongList(tasks)
  return (
    <section className={styles.view} aria-label="Contract">
      <p className={styles.lead}>
        <code>HEARTBEAT.md</code> holds {counted(tasks.length, 'task')}
        {diagnostics.length > 0 && `, ${counted(diagnostics.length, 'line to look at', 'lines to look at')}`}.
        Edit it with any editor; what is saved counts from the next heartbeat on.
      </p>
      {elsewhere.shown.length > 0 && (
        <ul className={styles.box} aria-label="Diagnostics">
          {elsewhere.shown.map((diagnostic) => (
            <li key={keyOf(diagnostic)} className={styles.entry}>
              <DiagnosticLine diagnostic={diagnostic} />
            </li>
          ))}
        </ul>
      )}
      {elsewhere.more}
      {tasks.length > 0 && (
        <ul className={styles.box} aria-label="Tasks of the contract">
          {shownTasks.shown.map((task) => (
            <li key={task.id} className={styles.entry}>
              <ContractTask task={task} />
              {diagnostics
                .filter((diagnostic) => diagnostic.line === task.line)
                .map((diagnostic) => (
                  <DiagnosticLine key={keyOf(diagnostic)} diagnostic={diagnostic} />
                ))}
            </li>
          ))}
        </ul>
      )}
      {shownTasks.more}
    </section>
  )
}

function keyOf({ line, column, code }: Diagnostic): string {
  return `${line}:${column}:${code}`
}

function ContractTask({ task }: { task: Task }) {
  return (
    <div className={styles.task}>
      <span className={styles.place}>{task.line}</span>
      <div className={styles.words}>
        <p className={styles.id}>
          <bdi>{task.id}</bdi>
        </p>
        {task.description !== task.id && <p dir="auto">{task.description}</p>}
        {task.criteria.length > 0 && (
          <ul className={styles.criteria}>
            {task.criteria.map((criterion) => (
              <li key={criterion} dir="auto">
                {criterion}
              </li>
            ))}
          </ul>
        )}
      </div>
      <div className={styles.terms}>
        <code className={styles.verify}>{task.verify}</code>
        <p>
          {task.required ? 'required' : 'optional'}, {counted(task.maxAttempts, 'attempt')}
          {task.checked && ', ticked'}
        </p>
      </div>
    </div>
  )
}

function DiagnosticLine({ diagnostic }: { diagnostic: Diagnostic }) {
  const { severity, message, line, column } = diagnostic
  const Icon = severity === 'error' ? CircleX : TriangleAlert
  return (
    <p className={styles.diagnostic} data-severity={severity}>
      <span className={styles.place}>
        {line}:{column}
      </span>
      <Icon size={15} role="img" aria-label={severity} />
      <span dir="auto">{message}</span>
    </p>
  )
}
