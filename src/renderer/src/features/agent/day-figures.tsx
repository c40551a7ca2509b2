import { type ReactNode, useId, useState } from 'react'
import type { AgentFigures } from '../../../../core/read-model/agent.ts'
import { INTERVENTION_ROWS, type InterventionType } from '../../../../core/vocabulary/intervention.ts'
import { VERDICT_WORDS, VERDICTS } from '../../../../core/vocabulary/verdict.ts'
import { counted } from '../../format/counted.ts'
import { Button } from '../../ui/button.tsx'
import { Term } from '../../ui/term.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import styles from './agent.module.css'
import { type ChartDay, LineDays, StackedDays } from './day-charts.tsx'
import { type AgentDayPoint, daySeries, interventionRows, otherInterventions } from './day-series.ts'
import { FiguresTable } from './figures-table.tsx'
import { medianWords } from './median-words.ts'

const VERDICT_SERIES = [
  ...VERDICTS.map((verdict) => ({ key: verdict, label: VERDICT_WORDS[verdict].title })),
  { key: 'none', label: 'Not judged' },
] as const

/** Thirty days of one agent as charts, and the same figures as a table. */
export function DayFigures({ figures, agentId }: { figures: AgentFigures; agentId: string }) {
  const [asTable, setAsTable] = useState(false)
  const headingId = useId()
  const series = daySeries(figures, agentId)
  const hasRun = series.some((point) => point.figures !== null)
  return (
    <section className={styles.section} aria-labelledby={headingId}>
      <div className={styles.head}>
        <h2 id={headingId}>30 days</h2>
        {hasRun && (
          <Button look="quiet" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
            Table
          </Button>
        )}
      </div>
      {!hasRun && (
        <p className="empty">
          It has not run in the last 30 days. From its next heartbeat on, each day’s attempts, interventions,
          evidence and durations appear here.
        </p>
      )}
      {hasRun && !asTable && <Charts series={series} figures={figures} />}
      {hasRun &&
        (asTable ? (
          <FiguresTable series={series} isShown />
        ) : (
          <VisuallyHidden>
            <FiguresTable series={series} isShown={false} />
          </VisuallyHidden>
        ))}
    </section>
  )
}

function Charts({ series, figures }: { series: readonly AgentDayPoint[]; figures: AgentFigures }) {
  return (
    <div className={styles.charts}>
      <Panel title="Attempts by the verifier’s verdict" legend={<Legend />}>
        <StackedDays days={chartDays(series, ({ attempts }) => ({ ...attempts }))} series={VERDICT_SERIES} />
      </Panel>
      <Interventions series={series} others={otherInterventions(figures)} />
      <Panel title="Evidence per attempt">
        <LineDays
          days={chartDays(series, ({ evidencePerAttempt }) => ({ evidence: evidencePerAttempt }))}
          series={{ key: 'evidence', label: 'Pieces of evidence' }}
        />
      </Panel>
      <Panel title="Median duration of an attempt">
        <LineDays
          days={chartDays(series, ({ medianSeconds }) => ({ median: medianSeconds }))}
          series={{ key: 'median', label: 'Median' }}
          say={medianWords(Math.max(0, ...series.map(({ figures: day }) => day?.medianSeconds ?? 0)))}
        />
      </Panel>
    </div>
  )
}

/** Returns the days for a chart; days on which the agent did not run have no figures. */
export function chartDays(
  series: readonly AgentDayPoint[],
  pick: (day: NonNullable<AgentDayPoint['figures']>) => ChartDay['figures'],
): ChartDay[] {
  return series.map(({ label, figures }) => ({ label, figures: figures === null ? {} : pick(figures) }))
}

/** A chart with its title. Hidden from screen readers, because the table says the same. */
export function Panel({
  title,
  legend,
  children,
}: {
  title: string
  legend?: ReactNode
  children: ReactNode
}) {
  return (
    <figure className={styles.chart}>
      <figcaption>
        {title}
        {legend}
      </figcaption>
      <div aria-hidden>{children}</div>
    </figure>
  )
}

function Legend() {
  return (
    <span className={styles.legend} aria-hidden>
      {VERDICT_SERIES.map(({ key, label }) => (
        <span key={key} data-key={key}>
          {label}
        </span>
      ))}
    </span>
  )
}

/** Shows each type with its days and its total. Types are distinguished by name, not by color. */
function Interventions({ series, others }: { series: readonly AgentDayPoint[]; others: number }) {
  const rows = interventionRows(series)
  return (
    <figure className={styles.chart}>
      <figcaption>Interventions by type</figcaption>
      {rows.length === 0 && <p className="tiny faint">None in 30 days.</p>}
      <ul className={styles.types}>
        {rows.map(({ type, total, perDay }) => (
          <li key={type}>
            {type in INTERVENTION_ROWS ? (
              <Term name={type as InterventionType}>{INTERVENTION_ROWS[type as InterventionType].title}</Term>
            ) : (
              type
            )}
            <Spark counts={perDay} />
            <strong className={styles.total}>{total}</strong>
          </li>
        ))}
      </ul>
      {others > 0 && (
        <p className="tiny faint">
          {counted(others, 'more belongs', 'more belong')} to no single attempt, and so to no agent.
        </p>
      )}
    </figure>
  )
}

function Spark({ counts }: { counts: readonly number[] }) {
  const most = Math.max(1, ...counts)
  return (
    <svg
      className={styles.spark}
      viewBox={`0 0 ${counts.length * 4} 20`}
      preserveAspectRatio="none"
      aria-hidden
    >
      {counts.map((count, index) => {
        const height = (count / most) * 20
        // biome-ignore lint/suspicious/noArrayIndexKey: the days of one row have no other identity
        return <rect key={index} x={index * 4} y={20 - height} width={3} height={height} />
      })}
    </svg>
  )
}
