import { useEffect, useMemo, useState } from 'react'
import type { Template } from '../../../../api/schemas/setup.ts'
import { parseContract } from '../../../../core/contract/parse.ts'
import { toProblem } from '../../api-client/problem.ts'
import { counted } from '../../format/counted.ts'
import { useAnswer } from '../../store/use-answer.ts'
import { useApp } from '../../store/use-app.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import styles from './add-workspace.module.css'
import { type SetupData, useSetup } from './add-workspace-state.ts'
import { IsolationChoice } from './isolation-choice.tsx'
import { StepButtons } from './step-buttons.tsx'
import { configurationEdits, contractText, probeNames, useSetupData } from './use-new-files.ts'

/** The pause in typing after which the text is checked. */
const PAUSE_MS = 120
/** The contract: the folder's own, or a starter by kind of work, to edit; with its configuration. */
export function ContractStep() {
  const { value, problem: missing, retry } = useAnswer((api) => api.setup.templates, undefined)
  const data = useSetupData()
  const change = useSetup((state) => state.change)
  const templates = value?.templates ?? []
  const text = contractText(data, templates)
  const problem = useConfiguration(data, templates)
  const { report, folder } = data
  const hasProblems = (report?.problems.length ?? 0) > 0
  const isSettled = report !== null && (data.configuration ?? report.text) === report.text
  const isOwn = folder?.contract !== null
  return (
    <>
      {isOwn ? (
        <p className={styles.lead}>
          This folder already has a <code>HEARTBEAT.md</code>. It stays unchanged.
        </p>
      ) : (
        <TemplateChoice
          templates={templates}
          chosen={data.templateId}
          onChoose={(templateId) => change({ templateId, configuration: null, report: null, dryRun: null })}
        />
      )}
      <ContractText
        text={text}
        isOwn={isOwn}
        probeNames={probeNames(report?.values ?? {})}
        onChange={(next) =>
          change({ contracts: { ...data.contracts, [data.templateId]: next }, dryRun: null })
        }
      />
      {folder?.isGit === true && folder.configuration === null && <IsolationChoice />}
      <ConfigurationText data={data} />
      {missing !== null && (
        <p className="small problem breaks" role="alert">
          {missing.message} <Button onClick={retry}>Try again</Button>
        </p>
      )}
      <ProblemNote text={problem} />
      <StepButtons
        hindrance={hasProblems ? 'Correct pulseward.toml first.' : isSettled ? null : 'One moment…'}
        onNext={() => change({ step: 3 })}
      />
    </>
  )
}

/** Updates the report on the configuration after every choice and edit; returns what went wrong. */
function useConfiguration(data: SetupData, templates: readonly Template[]): string | null {
  const api = useApp((state) => state.api)
  const change = useSetup((state) => state.change)
  const [problem, setProblem] = useState<string | null>(null)
  const { folder, configuration } = data
  const template = templates.find(({ id }) => id === data.templateId)?.configuration
  const own = folder?.configuration ?? configuration
  const edits = JSON.stringify(own === null ? configurationEdits(data) : [])
  const text = own ?? template
  useEffect(() => {
    if (text === undefined) return
    let isCurrent = true
    const timer = setTimeout(() => {
      api.setup.check({ text, edits: JSON.parse(edits) }).then(
        (report) => {
          if (!isCurrent) return
          setProblem(report.refusal)
          change({ report })
        },
        (error) => isCurrent && setProblem(toProblem(error).message),
      )
    }, PAUSE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [api, change, text, edits])
  return problem
}

function TemplateChoice({
  templates,
  chosen,
  onChoose,
}: {
  templates: readonly Template[]
  chosen: string
  onChoose: (id: string) => void
}) {
  return (
    <fieldset className="stack">
      <legend className={styles.legend}>Start from a template</legend>
      <div className={styles.templates}>
        {templates.map(({ id, title, description }) => (
          <label key={id} className={styles.option}>
            <input type="radio" name="template" checked={id === chosen} onChange={() => onChoose(id)} />
            <span className="medium">{title}</span>
            <span className={styles.optionText}>{description}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function ContractText({
  text,
  isOwn,
  probeNames: probes,
  onChange,
}: {
  text: string
  isOwn: boolean
  probeNames: readonly string[]
  onChange: (text: string) => void
}) {
  const contract = useMemo(() => parseContract(text, { probeNames: probes }), [text, probes])
  const { tasks, diagnostics } = contract
  return (
    <section className="stack shrinks" aria-label="HEARTBEAT.md">
      <h3 className={styles.fileName}>HEARTBEAT.md</h3>
      <textarea
        className={styles.text}
        aria-label="Text of HEARTBEAT.md"
        value={text}
        readOnly={isOwn}
        rows={Math.min(22, Math.max(10, text.split('\n').length + 1))}
        spellCheck={false}
        dir="auto"
        onChange={(event) => onChange(event.target.value)}
      />
      <div aria-live="polite">
        <p className={styles.note}>
          {counted(tasks.length, 'task')}, {problemsInWords(diagnostics)}. One task a line; the text after{' '}
          <code>verify:</code> is the check.
        </p>
        {diagnostics.length > 0 && (
          <ul className={styles.diagnostics}>
            {diagnostics.slice(0, 20).map(({ code, message, range, severity }) => (
              <li key={`${range.start.line}:${range.start.column}:${code}`} data-severity={severity}>
                <span className={styles.place}>
                  {range.start.line}:{range.start.column}
                </span>{' '}
                <span dir="auto">{message}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  )
}

/** Counts errors and warnings separately: with an error the contract would not run. */
function problemsInWords(diagnostics: readonly { readonly severity: 'error' | 'warning' }[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length
  const warnings = diagnostics.length - errors
  if (diagnostics.length === 0) return 'no problems'
  return [
    ...(errors === 0 ? [] : [counted(errors, 'error')]),
    ...(warnings === 0 ? [] : [counted(warnings, 'warning')]),
  ].join(', ')
}

function ConfigurationText({ data }: { data: SetupData }) {
  const change = useSetup((state) => state.change)
  const { report, folder, configuration } = data
  if (report === null) return null
  const isOwn = folder?.configuration !== null
  const hasProblems = report.problems.length > 0
  return (
    <details className="stack shrinks" open={hasProblems || undefined}>
      <summary className={styles.fileName}>
        pulseward.toml{' '}
        <span className="tiny quiet regular breaks">
          {isOwn ? 'already there, left unchanged' : 'added with it'}
        </span>
      </summary>
      <textarea
        className={styles.text}
        aria-label="Text of pulseward.toml"
        value={configuration ?? report.text}
        readOnly={isOwn}
        rows={Math.min(20, report.text.split('\n').length + 1)}
        spellCheck={false}
        onChange={(event) => change({ configuration: event.target.value, dryRun: null })}
      />
      {hasProblems && (
        <ul className={styles.diagnostics} aria-live="polite">
          {report.problems.map(({ line, column, message }) => (
            <li key={`${line}:${column}:${message}`} data-severity="error">
              <span className={styles.place}>
                {line}:{column}
              </span>{' '}
              <span dir="auto">{message}</span>
            </li>
          ))}
        </ul>
      )}
    </details>
  )
}
