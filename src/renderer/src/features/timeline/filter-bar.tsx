import { type ReactNode, useEffect, useState } from 'react'
import { SEVERITY_WORDS, type Severity } from '../../../../core/vocabulary/severity.ts'
import { TIMELINE_KINDS, type TimelineKind } from '../../../../core/vocabulary/timeline.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { KIND_WORDS, type ShownFilter } from './filter.ts'
import styles from './timeline.module.css'

const SEVERITIES = Object.keys(SEVERITY_WORDS) as Severity[]
/** After the last key: a search goes through the whole ledger. */
const TYPING_MS = 300

/** Narrows the timeline down by kind, severity, task and text. */
export function FilterBar({
  filter,
  tasks,
  label = 'Narrow down',
  onChange,
  children,
}: {
  filter: ShownFilter
  /** Known task ids, for the choice; `null`: there are too many to choose from. */
  tasks: readonly string[] | null
  label?: string
  onChange: (filter: ShownFilter) => void
  children: ReactNode
}) {
  const toggle = (kind: TimelineKind) => {
    const kinds = filter.kinds.includes(kind)
      ? filter.kinds.filter((each) => each !== kind)
      : TIMELINE_KINDS.filter((each) => each === kind || filter.kinds.includes(each))
    onChange({ ...filter, kinds, types: [] })
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: the search element is not known to every browser we run in
    <div className={styles.filter} role="search" aria-label={label}>
      <fieldset className={styles.kinds}>
        <legend className={styles.legend}>Show</legend>
        <Button
          aria-pressed={filter.kinds.length === 0}
          onClick={() => onChange({ ...filter, kinds: [], types: [] })}
        >
          Everything
        </Button>
        {TIMELINE_KINDS.map((kind) => (
          <Button key={kind} aria-pressed={filter.kinds.includes(kind)} onClick={() => toggle(kind)}>
            {KIND_WORDS[kind]}
          </Button>
        ))}
      </fieldset>
      <div className={styles.fields} data-tasks={tasks !== null}>
        <SelectField
          label="Severity"
          value={filter.severity ?? ''}
          onChange={({ target }) =>
            onChange({ ...filter, severity: SEVERITIES.find((each) => each === target.value) ?? null })
          }
        >
          <option value="">Any</option>
          {SEVERITIES.map((each) => (
            <option key={each} value={each}>
              {SEVERITY_WORDS[each]}
            </option>
          ))}
        </SelectField>
        {tasks !== null && (
          <TaskField task={filter.task} tasks={tasks} onChange={(task) => onChange({ ...filter, task })} />
        )}
        <SearchField text={filter.text} onChange={(text) => onChange({ ...filter, text })} />
        {children}
      </div>
      {filter.cycle !== null && (
        <p className={styles.narrowed}>
          Heartbeat {filter.cycle} only.{' '}
          <Button look="quiet" onClick={() => onChange({ ...filter, cycle: null })}>
            All heartbeats
          </Button>
        </p>
      )}
    </div>
  )
}

function TaskField({
  task: chosen,
  tasks,
  onChange,
}: {
  task: string
  tasks: readonly string[]
  onChange: (task: string) => void
}) {
  const choices = chosen === '' || tasks.includes(chosen) ? tasks : [chosen, ...tasks]
  return (
    <SelectField label="Task" value={chosen} onChange={({ target }) => onChange(target.value)}>
      <option value="">Any</option>
      {choices.map((task) => (
        <option key={task} value={task}>
          {task}
        </option>
      ))}
    </SelectField>
  )
}

function SearchField({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const [typed, setTyped] = useState(text)
  useEffect(() => setTyped(text), [text])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed starts the wait
  useEffect(() => {
    if (typed === text) return
    const timer = setTimeout(() => onChange(typed), TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <TextField
      label="Text"
      type="search"
      value={typed}
      maxLength={200}
      placeholder="In titles, reasons, notes, files"
      onChange={({ target }) => setTyped(target.value)}
    />
  )
}
