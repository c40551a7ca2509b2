import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useState } from 'react'
import styles from './contract.module.css'

const KEPT = 'pulseward-contract-split'
/** The text's share of the width, in percent: both sides stay readable. */
const LEAST = 25
const MOST = 75
const STEP = 5

/** The divider between the text and the tasks: moved by the pointer or the arrow keys, and remembered by this browser. */
export function Divider({ panes }: { panes: RefObject<HTMLDivElement | null> }) {
  const [percent, setPercent] = useState(kept)
  useEffect(() => {
    panes.current?.style.setProperty('--text-share', `${percent}fr`)
    panes.current?.style.setProperty('--form-share', `${100 - percent}fr`)
  }, [panes, percent])
  const move = (wanted: number) => {
    const next = Math.round(Math.min(MOST, Math.max(LEAST, wanted)))
    setPercent(next)
    keep(next)
  }
  const drag = (event: PointerEvent<HTMLHRElement>) => {
    const box = panes.current?.getBoundingClientRect()
    if (box === undefined || !event.currentTarget.hasPointerCapture(event.pointerId)) return
    move(((event.clientX - box.left) / box.width) * 100)
  }
  const byKey = (event: KeyboardEvent) => {
    const wanted = wantedBy(event.key, percent)
    if (wanted === null) return
    event.preventDefault()
    move(wanted)
  }
  return (
    <hr
      className={styles.divider}
      aria-label="Width of the text"
      aria-orientation="vertical"
      aria-valuenow={percent}
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      tabIndex={0}
      title="Drag, or use the arrow keys"
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onDoubleClick={() => move(50)}
      onKeyDown={byKey}
    />
  )
}

function wantedBy(key: string, percent: number): number | null {
  switch (key) {
    case 'ArrowLeft':
      return percent - STEP
    case 'ArrowRight':
      return percent + STEP
    case 'Home':
      return LEAST
    case 'End':
      return MOST
    default:
      return null
  }
}

function kept(): number {
  try {
    const percent = Number(localStorage.getItem(KEPT) ?? 50)
    return percent >= LEAST && percent <= MOST ? percent : 50
  } catch {
    return 50
  }
}

function keep(percent: number): void {
  try {
    localStorage.setItem(KEPT, String(percent))
  } catch {
    // A browser may refuse storage; the position then lasts until the page is left.
  }
}
