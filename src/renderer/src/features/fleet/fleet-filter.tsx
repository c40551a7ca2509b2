import type { FleetFilter, FleetSummary } from '../../../../core/fleet/view.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import styles from './fleet.module.css'

const LABELS = { host: 'Host', group: 'Group', tag: 'Tag' } as const

type Name = keyof typeof LABELS

const NAMES = Object.keys(LABELS) as Name[]

/** Returns the filter in an address; ignores unknown parts. */
export function filterOf(query: Readonly<Record<string, string>>): FleetFilter {
  return Object.fromEntries(NAMES.flatMap((name) => (query[name] ? [[name, query[name].slice(0, 60)]] : [])))
}

/** Returns the other parts of an address's query. */
export function withoutFilter(query: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(query).filter(([name]) => !Object.hasOwn(LABELS, name)))
}

/** Filters every screen of the fleet by host, group and tag. */
export function FleetFilters({
  filter,
  choices,
  isHostAlone,
  onChange,
}: {
  filter: FleetFilter
  choices: FleetSummary['choices']
  /** Only workspaces have tags, not hosts. */
  isHostAlone: boolean
  onChange: (filter: FleetFilter) => void
}) {
  const of = { host: choices.hosts, group: choices.groups, tag: choices.tags }
  const names = isHostAlone ? NAMES.filter((name) => name !== 'tag') : NAMES
  const isNarrowed = names.some((name) => filter[name] !== undefined)
  return (
    // biome-ignore lint/a11y/useSemanticElements: the search element is not known to every browser we run in
    <div className={styles.filters} role="search" aria-label="Narrow down">
      {names.map((name) => {
        const chosen = filter[name] ?? ''
        const known = chosen === '' || of[name].includes(chosen) ? of[name] : [chosen, ...of[name]]
        return (
          <SelectField
            key={name}
            label={LABELS[name]}
            value={chosen}
            onChange={({ target }) => {
              const { [name]: _before, ...rest } = filter
              onChange(target.value === '' ? rest : { ...rest, [name]: target.value })
            }}
          >
            <option value="">Any</option>
            {known.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </SelectField>
        )
      })}
      {isNarrowed && (
        <Button look="quiet" onClick={() => onChange({})}>
          Show all
        </Button>
      )}
    </div>
  )
}
