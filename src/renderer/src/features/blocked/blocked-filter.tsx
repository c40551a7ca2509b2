import type { BlockedTask } from '../../../../core/read-model/blocked-task.ts'
import { COMPLEXITY_WORDS } from '../../../../core/vocabulary/complexity.ts'
import { SUGGESTION_WORDS } from '../../../../core/vocabulary/unblock.ts'
import { SelectField } from '../../ui/select-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import styles from './blocked.module.css'
import { type BlockedFilter, suggestionsOf } from './filter.ts'
import { blockedLevels } from './levels.ts'

/** Filters the blocked tasks by text, kind of work and suggestion. */
export function BlockedFilterFields({
  tasks,
  filter,
  onChange,
}: {
  tasks: readonly BlockedTask[]
  filter: BlockedFilter
  onChange: (filter: BlockedFilter) => void
}) {
  const levels = blockedLevels(tasks)
  const suggestions = suggestionsOf(tasks)
  return (
    <search className={styles.filter}>
      <TextField
        label="Filter"
        type="search"
        placeholder="Task, description or reason"
        value={filter.text}
        onChange={(event) => onChange({ ...filter, text: event.target.value })}
      />
      <SelectField
        label="Kind of work"
        value={filter.level ?? ''}
        onChange={(event) =>
          onChange({
            ...filter,
            level: levels.find(({ level }) => level === event.target.value)?.level ?? null,
          })
        }
      >
        <option value="">Any</option>
        {levels.map(({ level, count }) => (
          <option key={level} value={level}>
            {COMPLEXITY_WORDS[level]} ({count})
          </option>
        ))}
      </SelectField>
      <SelectField
        label="What would help"
        value={filter.suggestion ?? ''}
        onChange={(event) =>
          onChange({
            ...filter,
            suggestion: suggestions.find(({ kind }) => kind === event.target.value)?.kind ?? null,
          })
        }
      >
        <option value="">Anything</option>
        {suggestions.map(({ kind, count }) => (
          <option key={kind} value={kind}>
            {SUGGESTION_WORDS[kind]} ({count})
          </option>
        ))}
      </SelectField>
    </search>
  )
}
