import { ChevronDown } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { SEVERITY_WORDS, type Severity } from '../../../../core/vocabulary/severity.ts'
import { TIMELINE_KINDS, type TimelineKind } from '../../../../core/vocabulary/timeline.ts'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuSeparator, MenuToggle } from '../../ui/menu.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { KIND_WORDS, type ShownFilter } from './filter.ts'
import styles from './timeline.module.css'

const SEVERITIES = Object.keys(SEVERITY_WORDS) as Severity[]
/** The pause in typing before a search, which reads the whole ledger. */
const TYPING_MS = 300

/** Filters the timeline by kind, severity, task and text, and goes to a day. */
export function FilterBar({
  filter,
  tasks,
  label = 'Narrow down',
  day,
  onChange,
  children,
}: {
  filter: ShownFilter
  /** Known task ids, for the choice; `null`: there are too many to choose from. */
  tasks: readonly string[] | null
  label?: string
  /** Omitted if the list cannot begin at a day. */
  day?: ReactNode
  onChange: (filter: ShownFilter) => void
  children: ReactNode
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: the search element is not known to every browser we run in
    <div className="stack gap-3" role="search" aria-label={label}>
      <div className={styles.fields}>
        <KindsField kinds={filter.kinds} onChange={(kinds) => onChange({ ...filter, kinds, types: [] })} />
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
        {day}
        <SearchField text={filter.text} onChange={(text) => onChange({ ...filter, text })} />
        {children}
      </div>
      {filter.cycle !== null && (
        <p className="small quiet">
          Heartbeat {filter.cycle} only.{' '}
          <Button look="quiet" onClick={() => onChange({ ...filter, cycle: null })}>
            All heartbeats
          </Button>
        </p>
      )}
    </div>
  )
}

/** Several kinds at once; none means all of them. */
function KindsField({
  kinds,
  onChange,
}: {
  kinds: readonly TimelineKind[]
  onChange: (kinds: readonly TimelineKind[]) => void
}) {
  const [first, ...others] = kinds
  const shown = first === undefined ? 'Everything' : KIND_WORDS[first]
  const words = others.length === 0 ? shown : `${shown} and ${others.length} more`
  return (
    <div className="stack gap-1 small">
      <span className="medium" aria-hidden>
        Show
      </span>
      <Menu
        trigger={
          <Button className={styles.kindsButton} aria-label={`Show: ${words}`}>
            {words} <ChevronDown size={14} aria-hidden />
          </Button>
        }
      >
        <MenuToggle checked={kinds.length === 0} onChange={() => onChange([])}>
          Everything
        </MenuToggle>
        <MenuSeparator />
        {TIMELINE_KINDS.map((kind) => (
          <MenuToggle
            key={kind}
            checked={kinds.includes(kind)}
            onChange={() =>
              onChange(TIMELINE_KINDS.filter((each) => kinds.includes(each) !== (each === kind)))
            }
          >
            {KIND_WORDS[kind]}
          </MenuToggle>
        ))}
      </Menu>
    </div>
  )
}

/** While a year is being typed, the date is briefly before this. */
const FIRST_DAY = '2020-01-01'

/** Goes to the entries of a day. */
export function DayField({ day, onChange }: { day: string | null; onChange: (day: string) => void }) {
  return (
    <TextField
      label="Go to day"
      type="date"
      min={FIRST_DAY}
      defaultValue={day ?? ''}
      onChange={({ target }) => target.value >= FIRST_DAY && onChange(target.value)}
    />
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
