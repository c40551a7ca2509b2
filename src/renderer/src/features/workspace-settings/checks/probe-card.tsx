import type { JsonValue } from '../../../../../core/claims/types.ts'
import { PROBE_SOURCES, type ProbeSource } from '../../../../../core/configuration/checks.ts'
import { leafPaths, showValue } from '../../../../../core/verification/values.ts'
import { Button } from '../../../ui/button.tsx'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import { textOf } from '../field-text.ts'
import { type Field, probeFields } from '../fields.ts'
import { SettingInput } from '../setting-input.tsx'
import type { Draft } from '../use-draft.ts'
import screenStyles from '../workspace-settings.module.css'
import styles from './checks.module.css'
import { carriedOver, isSource, labelOf, sourceOf } from './probe-source.ts'
import { readProbe } from './read-probe.ts'
import { TrialLine } from './trial-line.tsx'
import { useTrial } from './use-trial.ts'

/** One probe: its source, which part of it counts, and its current value. */
export function ProbeCard({ name, workspaceId, draft }: { name: string; workspaceId: string; draft: Draft }) {
  const { values, problems } = draft.report
  const source = sourceOf(name, values)
  const parse = String(values[`probes.${name}.parse`] ?? 'text')
  const written = values[`probes.${name}.path`]
  const place = parse === 'json' ? String(written ?? '').trim() : null
  const trial = useTrial(draft, (api, text, signal) =>
    readProbe(api, { workspaceId, text, name, place }, signal),
  )
  const at = (key: string) => ['probes', name, key]
  const moveTo = (next: ProbeSource) => {
    if (source === null || next === source) return
    draft.edit(at(source), null)
    draft.edit(at(next), carriedOver(values[`probes.${name}.${source}`], next))
  }
  const wrong = problems.find(({ path }) => path === `probes.${name}`)
  const suggestions = trial.result === null ? undefined : () => placesIn(trial.result?.whole)
  return (
    <details
      className={styles.card}
      open={problems.some(({ path }) => path?.startsWith(`probes.${name}`)) || undefined}
    >
      <summary className="cut">
        <code>{name}</code>{' '}
        <span className="small quiet">
          {source === null
            ? 'reads nothing yet'
            : textOf(source === 'command' ? 'command' : 'text', values[`probes.${name}.${source}`])}
        </span>
      </summary>
      <div className={screenStyles.fields}>
        <SelectField
          label="Read from"
          value={source ?? ''}
          onChange={({ target }) => moveTo(target.value as ProbeSource)}
        >
          {PROBE_SOURCES.map((each) => (
            <option key={each} value={each}>
              {labelOf(each)}
            </option>
          ))}
        </SelectField>
        {probeFields(name)
          .filter((field) => isAsked(field, source, parse, values))
          .map((field) => (
            <SettingInput
              key={field.name}
              field={keyOf(field) === 'parse' ? ({ ...field, unset: 'text (default)' } as Field) : field}
              draft={draft}
              suggestions={keyOf(field) === 'path' ? suggestions : undefined}
            />
          ))}
      </div>
      <ProblemNote text={wrong?.message} />
      <TrialLine
        of={name}
        busy={trial.busy}
        problem={trial.problem}
        hindrance={problems.length === 0 ? null : 'Correct the problems of the file first.'}
        onStart={() => void trial.start()}
        onStop={trial.stop}
      >
        {trial.result !== null && (
          <p>
            {trial.result.value === undefined ? (
              <>
                No value at this path in <strong>{showValue(trial.result.whole)}</strong>
              </>
            ) : (
              <>
                <code>{name}</code> is <strong>{showValue(trial.result.value)}</strong> now.
              </>
            )}
          </p>
        )}
      </TrialLine>
      <div>
        <Button look="quiet" onClick={() => draft.edit(['probes', name], null)}>
          Remove<VisuallyHidden>: {name}</VisuallyHidden>
        </Button>
      </div>
    </details>
  )
}

const MOST_PLACES = 200

/** Returns the places of all values in what was read, in the form that `path` uses. */
function placesIn(whole: JsonValue | undefined): readonly string[] {
  if (whole === undefined) return []
  const paths = leafPaths(whole).map((path) => path.join('.'))
  return paths.filter((path) => path !== '').slice(0, MOST_PLACES)
}

const keyOf = ({ name }: Field): string => name.split('.').at(-1) ?? ''

/** Whether a field is shown: those that make no sense with this source are hidden, unless they are set and have to be removed. */
function isAsked(
  field: Field,
  source: ProbeSource | null,
  parse: string,
  values: Draft['report']['values'],
): boolean {
  const key = keyOf(field)
  if (isSource(key)) return key === source
  if (values[field.name] !== undefined) return true
  if (key === 'path') return parse === 'json'
  if (key === 'reads') return source === 'command'
  if (key === 'tolerance') return parse === 'json' || parse === 'number'
  return true
}
