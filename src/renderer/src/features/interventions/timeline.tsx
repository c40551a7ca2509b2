import { useState } from 'react'
import { SEVERITY_OF } from '../../../../core/intervention/types.ts'
import {
  INTERVENTION_WORDS,
  type InterventionSeverity,
  type InterventionType,
  SEVERITY_WORDS,
} from '../../format/intervention.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import styles from './timeline.module.css'
import { TimelineList } from './timeline-list.tsx'
import type { TimelineFilter } from './use-timeline.ts'

const SEVERITIES = Object.keys(SEVERITY_WORDS) as InterventionSeverity[]
const TYPES = Object.keys(INTERVENTION_WORDS) as InterventionType[]
const EVERYTHING: TimelineFilter = {}

/** Everything that was noticed about the agent and done about it, newest first, by type and severity. */
export function Timeline({ workspaceId }: { workspaceId: string }) {
  const [filter, setFilter] = useState(EVERYTHING)
  const { type, severity } = filter
  // A type always has the same severity: the two choices are kept from excluding each other.
  const types = TYPES.filter((each) => severity === undefined || SEVERITY_OF[each] === severity)
  const choose = (wanted: TimelineFilter) => setFilter(Object.keys(wanted).length === 0 ? EVERYTHING : wanted)
  const chooseSeverity = (chosen: InterventionSeverity | undefined) => {
    const fits = type !== undefined && (chosen === undefined || SEVERITY_OF[type] === chosen)
    choose({ ...(fits && { type }), ...(chosen !== undefined && { severity: chosen }) })
  }
  const chooseType = (chosen: InterventionType | undefined) =>
    choose({ ...(chosen !== undefined && { type: chosen }), ...(severity !== undefined && { severity }) })
  return (
    <section className={styles.timeline} aria-label="Timeline">
      <div className={styles.filter}>
        <fieldset className={styles.severities}>
          <legend>Severity</legend>
          <Button aria-pressed={severity === undefined} onClick={() => chooseSeverity(undefined)}>
            All
          </Button>
          {SEVERITIES.map((each) => (
            <Button key={each} aria-pressed={each === severity} onClick={() => chooseSeverity(each)}>
              {SEVERITY_WORDS[each]}
            </Button>
          ))}
        </fieldset>
        <SelectField
          label="Type"
          value={type ?? ''}
          onChange={(event) => chooseType(types.find((each) => each === event.target.value))}
        >
          <option value="">All types</option>
          {types.map((each) => (
            <option key={each} value={each}>
              {INTERVENTION_WORDS[each]}
            </option>
          ))}
        </SelectField>
      </div>
      <TimelineList
        key={`${type}/${severity}`}
        workspaceId={workspaceId}
        filter={filter}
        onShowAll={filter === EVERYTHING ? null : () => setFilter(EVERYTHING)}
      />
    </section>
  )
}
