import type { ReactNode } from 'react'
import { Bar, BarChart, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import styles from './charts.module.css'

const HEIGHT = 148
/** Every seventh day is labeled, counting back from today. */
const NAMED_EVERY = 7

/** One day in a chart: its label and its figures by series; `null` leaves a gap. */
export interface ChartDay {
  readonly label: string
  readonly figures: Readonly<Record<string, number | null>>
}

interface Series {
  readonly key: string
  readonly label: string
}

/** Days as stacked bars, one part per series; without animation. */
export function StackedDays({
  days,
  series,
  say = String,
}: {
  days: readonly ChartDay[]
  series: readonly Series[]
  say?: (figure: number) => string
}) {
  return (
    <ResponsiveContainer width="100%" height={HEIGHT}>
      <BarChart data={[...days]} margin={MARGIN} accessibilityLayer={false}>
        {axes(days, say)}
        <Tooltip cursor={false} isAnimationActive={false} content={readout(series, say)} />
        {series.map(({ key }) => (
          <Bar
            key={key}
            dataKey={`figures.${key}`}
            stackId="day"
            className={styles[key]}
            isAnimationActive={false}
            maxBarSize={18}
          />
        ))}
      </BarChart>
    </ResponsiveContainer>
  )
}

/** Days as a line with dots, and gaps where there is no figure; without animation. */
export function LineDays({
  days,
  series,
  say = String,
}: {
  days: readonly ChartDay[]
  series: Series
  say?: (figure: number) => string
}) {
  return (
    <ResponsiveContainer width="100%" height={HEIGHT}>
      <LineChart data={[...days]} margin={MARGIN} accessibilityLayer={false}>
        {axes(days, say)}
        <Tooltip cursor={false} isAnimationActive={false} content={readout([series], say)} />
        <Line
          dataKey={`figures.${series.key}`}
          className={styles.line}
          dot={{ r: 2.5, className: styles.dot }}
          activeDot={false}
          isAnimationActive={false}
        />
      </LineChart>
    </ResponsiveContainer>
  )
}

const MARGIN = { top: 8, right: 20, bottom: 0, left: 0 }

/** Returns the axes. Not a component, because recharts looks for axes among the direct children. */
function axes(days: readonly ChartDay[], say: (figure: number) => string): ReactNode[] {
  const named = days.filter((_, index) => (days.length - 1 - index) % NAMED_EVERY === 0)
  return [
    <XAxis
      key="x"
      dataKey="label"
      ticks={named.map(({ label }) => label)}
      interval={0}
      axisLine={false}
      tickLine={false}
      tick={{ className: styles.axis }}
      height={22}
    />,
    <YAxis
      key="y"
      width={44}
      tickCount={3}
      axisLine={false}
      tickLine={false}
      tick={{ className: styles.axis }}
      tickFormatter={say}
      allowDecimals
    />,
  ]
}

/** Returns a tooltip with the figures of the day under the pointer. The table shows them to everyone. */
function readout(series: readonly Series[], say: (figure: number) => string) {
  return ({ active, payload }: { active?: boolean; payload?: readonly { payload?: unknown }[] }) => {
    const day = payload?.[0]?.payload as ChartDay | undefined
    if (active !== true || day === undefined) return null
    return (
      <div className={styles.readout}>
        <p>{day.label}</p>
        {series.map(({ key, label }) => {
          const figure = day.figures[key]
          return figure === null || figure === undefined ? null : (
            <p key={key}>
              {label}: <strong>{say(figure)}</strong>
            </p>
          )
        })}
      </div>
    )
  }
}
