import { type KeyboardEvent, useRef, useState } from 'react'
import type { WorkspaceDetail } from '../../../../api/schemas/workspace.ts'
import { counted } from '../../format/counted.ts'
import { Term } from '../../ui/term.tsx'
import styles from './beats.module.css'
import { type Beat, beatsOfTheDay } from './beats.ts'

/** The pulse of the day: one bar a heartbeat, up for points gained, down for points lost, in the colour of its worst verdict. */
export function BeatStrip({
  detail,
  selectedCycle,
  onSelect,
}: {
  detail: WorkspaceDetail
  selectedCycle: number | null
  /** A heartbeat chosen to look at its attempts, or none. */
  onSelect: (cycle: number | null) => void
}) {
  const beats = beatsOfTheDay(detail)
  const [pointedAt, setPointedAt] = useState<string | null>(null)
  if (beats.length === 0) return null
  const shown =
    beats.find((beat) => beat.key === pointedAt) ?? beats.find((beat) => isSelected(beat, selectedCycle))
  return (
    <section className={styles.section} aria-label="Heartbeats of today">
      <div className={styles.caption}>
        <h2 className={styles.title}>
          {counted(beats.length, 'heartbeat')} <Term name="heartbeat">today</Term>
        </h2>
        <p className={styles.readout}>{shown?.label ?? `since ${beats[0]?.time}`}</p>
      </div>
      <Bars
        beats={beats}
        selectedCycle={selectedCycle}
        onPoint={setPointedAt}
        onSelect={(cycle) => onSelect(cycle === selectedCycle ? null : cycle)}
      />
    </section>
  )
}

function isSelected(beat: Beat, cycle: number | null): boolean {
  return cycle !== null && beat.cycle === cycle
}

/** One stop for the Tab key; the arrow keys move along the day. */
function Bars({
  beats,
  selectedCycle,
  onPoint,
  onSelect,
}: {
  beats: readonly Beat[]
  selectedCycle: number | null
  onPoint: (key: string | null) => void
  onSelect: (cycle: number | null) => void
}) {
  const [current, setCurrent] = useState<string | null>(null)
  const list = useRef<HTMLUListElement>(null)
  const stop = beats.find((beat) => beat.key === current)?.key ?? beats.at(-1)?.key
  const move = (event: KeyboardEvent) => {
    const steps: Record<string, number> = {
      ArrowLeft: -1,
      ArrowRight: 1,
      Home: -beats.length,
      End: beats.length,
    }
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const from = beats.findIndex((beat) => beat.key === stop)
    const to = Math.min(beats.length - 1, Math.max(0, from + step))
    list.current?.querySelectorAll('button')[to]?.focus()
  }
  return (
    <ul ref={list} className={styles.strip} onKeyDown={move} onPointerLeave={() => onPoint(null)}>
      {beats.map((beat) => (
        <li key={beat.key} className={styles.beat}>
          <button
            type="button"
            className={styles.button}
            tabIndex={beat.key === stop ? 0 : -1}
            aria-label={beat.label}
            aria-pressed={isSelected(beat, selectedCycle)}
            onPointerEnter={() => onPoint(beat.key)}
            onFocus={() => {
              setCurrent(beat.key)
              onPoint(beat.key)
            }}
            onBlur={() => onPoint(null)}
            onClick={() => onSelect(beat.cycle)}
          >
            <Bar beat={beat} />
          </button>
        </li>
      ))}
    </ul>
  )
}

/** Half of the strip's height; the least a bar shows of itself; the height of one that has no points to show. */
const HALF_PX = 24
const LEAST_PX = 4
const POINTLESS_PX: Partial<Record<Beat['state'], number>> = { missed: 10, running: 14 }

function Bar({ beat: { state, worst, height } }: { beat: Beat }) {
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
