import { Check, CircleHelp, Minus } from 'lucide-react'
import type { DryRun, HintTrial } from '../../../../api/schemas/contract-trial.ts'
import { counted } from '../../format/counted.ts'
import { useAnswer } from '../../store/use-answer.ts'
import { useApp } from '../../store/use-app.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { Prose } from '../../ui/prose.tsx'
import { useSubmit } from '../../ui/use-submit.ts'
import styles from './add-workspace.module.css'
import { useSetup } from './add-workspace-state.ts'
import { StepButtons } from './step-buttons.tsx'
import { contractText, useSetupData } from './use-new-files.ts'

/** Runs every check on the current folder, so that broken ones show before an agent runs. */
export function DryRunStep() {
  const api = useApp((state) => state.api)
  const { value } = useAnswer((api) => api.setup.templates, undefined)
  const data = useSetupData()
  const change = useSetup((state) => state.change)
  const { busy, problem, submit } = useSubmit()
  const { report, folder, dryRun } = data
  const measuring =
    report?.trust.commands.filter(({ when }) => when === 'measurement' || when === 'hint') ?? []
  const contract = contractText(data, value?.templates ?? [])
  const run = () =>
    submit(async () => {
      if (report === null || folder === null) return
      change({
        dryRun: await api.setup.tryOut({ path: folder.path, contract, configuration: report.text }),
      })
    })
  return (
    <>
      <p className={styles.lead}>
        Runs each task’s check on the folder as it is now. No agent runs and nothing is written.{' '}
        {measuring.length === 0
          ? 'No command runs either: these checks only read files.'
          : `It runs or reads: ${measuring.map(({ command }) => command.join(' ')).join('; ')}.`}
      </p>
      <div>
        <Button onClick={run} aria-disabled={busy || value === null}>
          {busy ? 'Measuring…' : dryRun === null ? 'Try it now' : 'Try it again'}
        </Button>
      </div>
      <ProblemNote text={problem} />
      {dryRun !== null && <Findings dryRun={dryRun} />}
      <StepButtons onNext={() => change({ step: 4 })} />
    </>
  )
}

function Findings({ dryRun: { tasks } }: { dryRun: DryRun }) {
  const broken = tasks.filter(({ problem }) => problem !== null).length
  const holding = tasks.filter(({ holds }) => holds === true).length
  return (
    <section aria-label="Findings">
      <p className={styles.note} role="status">
        {tasks.length === 0
          ? 'There is no task yet, so there is nothing to measure.'
          : `${counted(tasks.length, 'task')} tried: ${broken === 0 ? 'every check can be run' : `${counted(broken, 'check')} can’t be run now`}${holding > 0 ? `, and ${counted(holding, 'check passes', 'checks pass')} already` : ''}. Failing checks are the work to be done.`}
      </p>
      <ul className={styles.findings}>
        {tasks.map((task) => (
          <Finding key={task.taskId} task={task} />
        ))}
      </ul>
    </section>
  )
}

function Finding({ task }: { task: HintTrial }) {
  const { taskId, hint, holds, finding, needs, problem } = task
  const read = task.probes.filter(({ value }) => value !== null)
  const icon = { size: 16, 'aria-hidden': true }
  return (
    <li className={styles.finding} data-problem={problem !== null}>
      <span className={styles.findingSign}>
        {problem !== null || holds === null ? (
          <CircleHelp {...icon} />
        ) : holds ? (
          <Check {...icon} />
        ) : (
          <Minus {...icon} />
        )}
      </span>
      <div>
        <p>
          <strong>{taskId}</strong> <code className="tiny quiet">{hint.source}</code>
        </p>
        <p dir="auto">
          <Prose text={finding} />
        </p>
        {read.length > 0 && (
          <p className="tiny quiet regular breaks">
            {read.map(({ name, value }) => `${name} = ${value}`).join(', ')}
          </p>
        )}
        <p className={problem === null ? 'tiny quiet regular breaks' : styles.warning} dir="auto">
          <Prose text={problem ?? needs} />
        </p>
      </div>
    </li>
  )
}
