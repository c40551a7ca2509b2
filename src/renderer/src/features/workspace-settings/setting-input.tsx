import { memo, type ReactNode, useId, useState } from 'react'
import type { ConfigurationProblem, SettingValue } from '../../../../api/schemas/configuration.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { FieldNote } from '../../ui/field-note.tsx'
import { ToggleField } from '../../ui/toggle-field.tsx'
import { useNow } from '../../ui/use-now.ts'
import { textOf, valueFor } from './field-text.ts'
import type { Field } from './fields.ts'
import { nextDates } from './next-dates.ts'
import type { Draft } from './use-draft.ts'
import styles from './workspace-settings.module.css'

interface Typed {
  readonly text: string
  /** How the file will show it once it is applied. */
  readonly meant: string
  /** What the file showed when it was typed, or later. */
  readonly seen: string
}

interface InputProps {
  readonly field: Field
  /** The value in the file; `undefined` if there is none. */
  readonly value: SettingValue | undefined
  readonly standard: SettingValue | undefined
  readonly problem: string | null
  readonly onChange: (value: SettingValue | null) => void
  /** The possible values, if known. */
  readonly suggestions?: (() => readonly string[]) | undefined
}

/** One setting of the file, with the default that applies without it, and its problem. */
export function SettingInput({
  field,
  draft,
  suggestions = field.kind === 'text' ? field.suggestions : undefined,
}: {
  field: Field
  draft: Draft
  suggestions?: InputProps['suggestions']
}) {
  const { values, defaults, problems, inFileOnly } = draft.report
  if (inFileOnly.includes(field.name)) return <InFileOnly field={field} />
  const props: InputProps = {
    suggestions,
    field,
    value: values[field.name],
    standard: defaults[field.name],
    problem: problemAt(field.name, problems),
    onChange: (value) => draft.edit(field.name.split('.'), value),
  }
  switch (field.kind) {
    case 'toggle':
      return <Toggle {...props} />
    case 'choice':
      return <Choice {...props} options={field.options} unset={field.unset ?? 'none'} />
    default:
      return (
        <Written {...props}>
          {field.name === 'heartbeat.interval_minutes' && <NextDates report={draft.report} />}
        </Written>
      )
  }
}

/** Returns the parser's message about a setting or an element of it. */
export function problemAt(name: string, problems: readonly ConfigurationProblem[]): string | null {
  const problem = problems.find(({ path }) => path === name)
  if (problem === undefined) return null
  // The field already names the setting.
  const words = problem.message.replace(/^[\w.[\]"]+(: | is missing: )/u, '')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Shown for a value that a field cannot show and would lose. */
function InFileOnly({ field }: { field: Field }) {
  return (
    <div className={classNames(styles.field, styles.wide)}>
      <span className="medium">{field.label}</span>
      <p className={styles.note}>The file gives this more options, such as an environment: edit it there.</p>
    </div>
  )
}

function Toggle({ field, value, standard, problem, onChange }: InputProps) {
  const isOn = (value ?? standard) === true
  return (
    <div className={styles.toggle}>
      <ToggleField
        label={field.label}
        hint={field.hint}
        problem={problem}
        checked={isOn}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <Reset field={field} value={value} standard={standard} onChange={onChange} />
    </div>
  )
}

function Choice({
  field,
  value,
  standard,
  problem,
  onChange,
  options,
  unset,
}: InputProps & { options: readonly (readonly [string, string])[]; unset: string }) {
  const id = useId()
  const written = value === undefined ? '' : String(value)
  const isKnown = written === '' || options.some(([each]) => each === written)
  const usual = options.find(([each]) => each === standard)?.[1]
  return (
    <div className={styles.field}>
      <label className="medium" htmlFor={id}>
        {field.label}
      </label>
      <select
        id={id}
        className={styles.input}
        value={written}
        aria-invalid={problem === null ? undefined : true}
        aria-describedby={`${id}-note`}
        onChange={(event) => onChange(event.target.value === '' ? null : event.target.value)}
      >
        <option value="">{usual === undefined ? unset : `${usual} (default)`}</option>
        {options.map(([each, words]) => (
          <option key={each} value={each}>
            {words}
          </option>
        ))}
        {!isKnown && <option value={written}>{written}</option>}
      </select>
      <FieldNote id={`${id}-note`} hint={field.hint} problem={problem} />
    </div>
  )
}

/**
 * A setting with typed input. The text stays as typed while the file has an equal value, so `1.50` does not turn into `1.5` while typing.
 * Once the file has a different value, that one is shown.
 */
function Written({
  field,
  value,
  standard,
  problem,
  onChange,
  suggestions,
  children,
}: InputProps & { children?: ReactNode }) {
  const id = useId()
  const inFile = textOf(field.kind, value)
  const [typed, setTyped] = useState<Typed | null>(null)
  if (typed !== null && inFile !== typed.seen) {
    // The file's value has changed: to what was typed, or to something else.
    setTyped(inFile === typed.meant ? { ...typed, seen: inFile } : null)
  }
  const isLong = field.kind === 'lines' || field.kind === 'commands'
  const text = typed === null ? inFile : typed.text
  const unit = field.kind === 'number' ? field.unit : undefined
  const meant = valueFor(field.kind, text, unit)
  const write = (next: string) => {
    const answer = valueFor(field.kind, next, unit)
    if ('problem' in answer) {
      setTyped({ text: next, meant: inFile, seen: inFile })
      return
    }
    const written = answer.value === null ? '' : textOf(field.kind, answer.value)
    setTyped({ text: next, meant: written, seen: inFile })
    onChange(answer.value)
  }
  const common = {
    id,
    className: classNames(styles.input, (isLong || field.kind === 'command') && styles.mono),
    value: text,
    spellCheck: false,
    autoComplete: 'off',
    placeholder: textOf(field.kind, standard),
    'aria-invalid': problem === null && !('problem' in meant) ? undefined : true,
    'aria-describedby': `${id}-note`,
  }
  return (
    <div className={classNames(styles.field, isLong && styles.wide, field.kind === 'command' && styles.wide)}>
      <label className="medium" htmlFor={id}>
        {field.label}
        {field.kind === 'number' && field.unit !== undefined && (
          <span className="faint regular"> in {field.unit}</span>
        )}
      </label>
      {isLong ? (
        <textarea
          {...common}
          rows={Math.min(6, Math.max(2, text.split('\n').length))}
          onChange={(event) => write(event.target.value)}
        />
      ) : (
        <input
          {...common}
          inputMode={field.kind === 'number' ? 'decimal' : undefined}
          list={suggestions === undefined ? undefined : `${id}-list`}
          onChange={(event) => write(event.target.value)}
        />
      )}
      {suggestions !== undefined && <Suggestions id={`${id}-list`} list={suggestions} />}
      <FieldNote
        id={`${id}-note`}
        hint={noteFor(field, standard)}
        problem={'problem' in meant ? meant.problem : problem}
      />
      {children}
    </div>
  )
}

function NextDates({ report }: { report: Draft['report'] }) {
  const dates = nextDates(report, useNow())
  return dates === null ? null : <p className="tiny quiet">{dates}</p>
}

/** Drawn once, not at every keystroke in the form, because there are hundreds. */
const Suggestions = memo(function Suggestions({ id, list }: { id: string; list: () => readonly string[] }) {
  return (
    <datalist id={id}>
      {list().map((each) => (
        <option key={each} value={each} />
      ))}
    </datalist>
  )
})

function noteFor(field: Field, standard: SettingValue | undefined): string | undefined {
  const usual = textOf(field.kind, standard).split('\n').join(', ')
  const words = usual === '' ? undefined : `Default: ${usual}`
  return [field.hint, words].filter((each) => each !== undefined).join(' ') || undefined
}

function Reset({ field, value, standard, onChange }: Omit<InputProps, 'problem'>) {
  if (value === undefined || value === standard) return null
  return (
    <Button look="quiet" onClick={() => onChange(null)} aria-label={`Default for ${field.label}`}>
      Default
    </Button>
  )
}
