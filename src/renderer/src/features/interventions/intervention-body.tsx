import { Prose } from '../../ui/prose.tsx'
import { EqualitySign } from '../../ui/verdict-glyph.tsx'
import { claimedAndFound, detailLines, happening, type RaisedIntervention } from './details.ts'
import styles from './intervention.module.css'

/** The details of an intervention: claim next to finding if it has both, and the rest as a list. */
export function InterventionBody({
  raised,
  isCompared = false,
}: {
  raised: RaisedIntervention
  /** Whether the same claim and finding are shown elsewhere on the page: then they are only a detail here. */
  isCompared?: boolean
}) {
  const lines = detailLines(raised)
  const happened = happening(raised)
  const isFolded = isCompared && claimedAndFound(raised) !== null
  return (
    <>
      {!isFolded && <Confrontation raised={raised} />}
      {happened.length > 0 && (
        <div className="breaks">
          <Values values={happened} />
        </div>
      )}
      {(lines.length > 0 || isFolded) && (
        <details className={styles.details}>
          <summary>Details</summary>
          {isFolded && <Confrontation raised={raised} />}
          <dl className={styles.lines}>
            {lines.map(({ name, values }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <Values values={values} />
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </>
  )
}

function Confrontation({ raised }: { raised: RaisedIntervention }) {
  const sides = claimedAndFound(raised)
  if (sides === null) return null
  return (
    <div className={styles.sides}>
      <p className={styles.claimed} dir="auto">
        <span className="tiny faint">claimed</span> {sides.claimed}
      </p>
      <EqualitySign agrees={sides.contradicts ? false : null} isCalm large />
      <div className={styles.found} data-contradicts={sides.contradicts}>
        <span className="tiny faint">found</span> <Values values={sides.found} />
      </div>
    </div>
  )
}

function Values({ values }: { values: readonly string[] }) {
  if (values.length === 1) {
    return (
      <span dir="auto">
        <Prose text={values[0] ?? ''} />
      </span>
    )
  }
  return (
    <ul>
      {values.map((value, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the items of one recorded list never move, and may be alike
        <li key={index} dir="auto">
          <Prose text={value} />
        </li>
      ))}
    </ul>
  )
}
