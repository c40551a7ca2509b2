import type { BarShapeProps } from 'recharts'
import {
  Bar,
  ComposedChart,
  LabelList,
  Line,
  ReferenceLine,
  ResponsiveContainer,
  XAxis,
  YAxis,
} from 'recharts'
import { formatPoints } from '../../../../core/scoring/format.ts'
import { CHART_HEIGHT, COMPACT_HEIGHT, type Day, dayInWords } from './days.ts'
import styles from './history.module.css'

/**
 * Bars for the days, with the target as a stepped line and the floor. Without animation, because the chart is read, not watched. `compact`
 * omits the figures and the names of the days, for charts in rows.
 */
export function ScoreBars({
  days,
  floor,
  addressOf,
  compact = false,
}: {
  days: readonly Day[]
  floor: number
  /** Returns the link for a day's bar; if omitted, bars have no links. */
  addressOf?: ((date: string) => string) | undefined
  compact?: boolean
}) {
  return (
    <ResponsiveContainer width="100%" height={compact ? COMPACT_HEIGHT : CHART_HEIGHT}>
      <ComposedChart
        data={[...days]}
        margin={{ top: compact ? 4 : 18, right: 0, bottom: compact ? 2 : 0, left: 0 }}
        accessibilityLayer={false}
      >
        <XAxis
          dataKey="label"
          hide={compact}
          axisLine={false}
          tickLine={false}
          interval={0}
          tick={<DayLabel />}
          height={22}
        />
        <YAxis hide domain={scale(days, floor)} />
        <ReferenceLine y={0} className={styles.zero} />
        <ReferenceLine y={floor} className={styles.floor} />
        <Bar
          dataKey="score"
          isAnimationActive={false}
          maxBarSize={30}
          shape={(bar: BarShapeProps) => <DayBar {...bar} addressOf={addressOf} />}
        >
          {!compact && (
            <LabelList
              dataKey="score"
              position="top"
              zIndex={2000}
              className={styles.value}
              formatter={scoreLabel}
            />
          )}
        </Bar>
        <Line
          dataKey="target"
          type="step"
          className={styles.target}
          dot={false}
          activeDot={false}
          isAnimationActive={false}
        />
      </ComposedChart>
    </ResponsiveContainer>
  )
}

/** Returns the range from the lowest to the highest figure, with room for a negative day's label above the day names. */
function scale(days: readonly Day[], floor: number): [number, number] {
  const figures = days.flatMap((day) => [day.score ?? 0, day.target ?? 0])
  const most = Math.max(floor, ...figures)
  const least = Math.min(0, ...figures)
  return [least === 0 ? 0 : least - (most - least) * 0.16, most]
}

function scoreLabel(value: unknown): string {
  return typeof value === 'number' ? formatPoints(value) : ''
}

/** A bar with rounded corners away from zero. */
function DayBar({
  x,
  y,
  width,
  height,
  payload,
  addressOf,
}: BarShapeProps & { addressOf?: ((date: string) => string) | undefined }) {
  const { key, kind, contradictions } = payload as Day
  // Below zero the height is negative: the rectangle extends up from `y`.
  const top = height < 0 ? y + height : y
  const size = Math.max(2, Math.abs(height))
  const bar = (
    <g>
      <title>{dayInWords(payload as Day)}</title>
      <rect className={styles.bar} data-kind={kind} x={x} y={top} width={width} height={size} rx={3} />
      {contradictions > 0 && (
        <text
          className={styles.contradiction}
          x={x + width / 2}
          y={height < 0 ? top + 12 : Math.max(12, top + size - 4)}
          textAnchor="middle"
        >
          ≠
        </text>
      )}
    </g>
  )
  if (addressOf === undefined || kind === 'none') return bar
  // Not a Tab stop, because the table has the same links.
  return (
    <a className={styles.toDay} href={addressOf(key)} tabIndex={-1}>
      {bar}
    </a>
  )
}

function DayLabel({ x, y, payload }: { x?: number; y?: number; payload?: { value: string } }) {
  return (
    <text
      className={styles.axis}
      x={x}
      y={(y ?? 0) + 10}
      textAnchor="middle"
      data-today={payload?.value === 'today'}
    >
      {payload?.value}
    </text>
  )
}
