import { type KeyboardEvent, useRef, useState } from 'react'
import type { WorkspaceDetail } from '../../../../core/read-model/workspace.ts'
import { counted } from '../../format/counted.ts'
import { Term } from '../../ui/term.tsx'
import { type HeartbeatBar, heartbeatBars } from './heartbeat-bars.ts'
import styles from './heartbeat-strip.module.css'

/** The heartbeats of the day: one bar each, up for points gained, down for points lost, in the color of its worst verdict. */
export function HeartbeatStrip({
  detail,
  selectedCycle,
  onSelect,
}: {
  detail: WorkspaceDetail
  selectedCycle: number | null
  /** Called with the cycle whose attempts to show, or null. */
  onSelect: (cycle: number | null) => void
}) {
  const bars = heartbeatBars(detail)
  const [pointedAt, setPointedAt] = useState<string | null>(null)
  if (bars.length === 0) return null
  const shown =
    bars.find((bar) => bar.key === pointedAt) ?? bars.find((bar) => isSelected(bar, selectedCycle))
  return (
    <section className="stack" aria-label="Heartbeats of today">
      <div className={styles.caption}>
        <h2 className={styles.title}>
          {counted(bars.length, 'heartbeat')} <Term name="heartbeat">today</Term>
        </h2>
        <p className={styles.readout}>{shown?.label ?? `since ${bars[0]?.time}`}</p>
      </div>
      <Bars
        bars={bars}
        selectedCycle={selectedCycle}
        onPoint={setPointedAt}
        onSelect={(cycle) => onSelect(cycle === selectedCycle ? null : cycle)}
      />
    </section>
  )
}

function isSelected(bar: HeartbeatBar, cycle: number | null): boolean {
  return cycle !== null && bar.cycle === cycle
}

/** One Tab stop; the arrow keys move along the day. */
function Bars({
  bars,
  selectedCycle,
  onPoint,
  onSelect,
}: {
  bars: readonly HeartbeatBar[]
  selectedCycle: number | null
  onPoint: (key: string | null) => void
  onSelect: (cycle: number | null) => void
}) {
  const [current, setCurrent] = useState<string | null>(null)
  const list = useRef<HTMLUListElement>(null)
  const stop = bars.find((bar) => bar.key === current)?.key ?? bars.at(-1)?.key
  const move = (event: KeyboardEvent) => {
    const steps: Record<string, number> = {
      ArrowLeft: -1,
      ArrowRight: 1,
      Home: -bars.length,
      End: bars.length,
    }
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const from = bars.findIndex((bar) => bar.key === stop)
    const to = Math.min(bars.length - 1, Math.max(0, from + step))
    list.current?.querySelectorAll('button')[to]?.focus()
  }
  return (
    <ul ref={list} className={styles.strip} onKeyDown={move} onPointerLeave={() => onPoint(null)}>
      {bars.map((bar) => (
        <li key={bar.key} className={styles.place}>
          <button
            type="button"
            className={styles.button}
            tabIndex={bar.key === stop ? 0 : -1}
            aria-label={bar.label}
            aria-pressed={isSelected(bar, selectedCycle)}
            onPointerEnter={() => onPoint(bar.key)}
            onFocus={() => {
              setCurrent(bar.key)
              onPoint(bar.key)
            }}
            onBlur={() => onPoint(null)}
            onClick={() => onSelect(bar.cycle)}
          >
            <Bar bar={bar} />
          </button>
        </li>
      ))}
    </ul>
  )
}

/** Half of the strip's height; the smallest visible bar; the heights of bars without points. */
const HALF_PX = 24
const LEAST_PX = 4
const POINTLESS_PX: Partial<Record<HeartbeatBar['state'], number>> = { missed: 10, running: 14 }

function Bar({ bar: { state, worst, height } }: { bar: HeartbeatBar }) {
  const size = POINTLESS_PX[state] ?? Math.max(LEAST_PX, Math.round(Math.abs(height) * HALF_PX))
  const side = height < 0 ? { insetBlockStart: HALF_PX } : { insetBlockEnd: HALF_PX }
  return (
    <span
      className={styles.bar}
      data-state={state}
      data-worst={worst ?? 'nothing'}
      style={{ blockSize: size, ...side }}
    />
  )
}
