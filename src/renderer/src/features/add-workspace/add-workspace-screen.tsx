import { useEffect, useRef } from 'react'
import { routeTo } from '../../route/route.ts'
import { navigate } from '../../route/use-route.ts'
import { useApp } from '../../store/use-app.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { useSubmit } from '../../ui/use-submit.ts'
import styles from './add-workspace.module.css'
import { STEPS, useSetup } from './add-workspace-state.ts'
import { AgentStep } from './agent-step.tsx'
import { ContractStep } from './contract-step.tsx'
import { DryRunStep } from './dry-run-step.tsx'
import { FolderStep } from './folder-step.tsx'
import { StartStep } from './start-step.tsx'

/** The setup, for the first run and every further folder: find an agent, choose a folder, write a contract, try it, start. */
export function AddWorkspaceScreen() {
  const step = useSetup((state) => state.step)
  const change = useSetup((state) => state.change)
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useRef(step)
  useEffect(() => {
    // A new step counts as a new page: move the focus to its top, and a screen reader announces it.
    if (shown.current !== step) heading.current?.focus()
    shown.current = step
  }, [step])
  return (
    <div className={styles.screen}>
      <header className="row flow gap-3 spread">
        <h1 className="title">Set up a folder</h1>
        {step === 0 && <OpenSample />}
      </header>
      <ol className={styles.steps} aria-label="Steps">
        {STEPS.map((name, index) => (
          <li key={name} aria-current={index === step ? 'step' : undefined} data-done={index < step}>
            {index < step ? (
              <button type="button" onClick={() => change({ step: index })}>
                {name}
              </button>
            ) : (
              <span>{name}</span>
            )}
          </li>
        ))}
      </ol>
      <h2 ref={heading} className={styles.heading} tabIndex={-1}>
        {HEADINGS[step]}
      </h2>
      <Step step={step} />
    </div>
  )
}

const HEADINGS = [
  'Which agent does the work?',
  'In which folder?',
  'What should the agent do?',
  'Try the contract out, without an agent',
  'Look it over and start',
] as const

function Step({ step }: { step: number }) {
  switch (step) {
    case 0:
      return <AgentStep />
    case 1:
      return <FolderStep />
    case 2:
      return <ContractStep />
    case 3:
      return <DryRunStep />
    default:
      return <StartStep />
  }
}

function OpenSample() {
  const api = useApp((state) => state.api)
  const refresh = useApp((state) => state.refresh)
  const { busy, problem, submit } = useSubmit()
  const open = () =>
    submit(async () => {
      const workspace = await api.workspaces.openSample()
      await refresh()
      navigate(routeTo(workspace.id))
    })
  return (
    <div className={styles.sample}>
      <Button onClick={open} aria-disabled={busy}>
        {busy ? 'Opening the sample…' : 'Open the sample instead'}
      </Button>
      <ProblemNote text={problem} />
    </div>
  )
}
