import { useEffect, useRef, useState } from 'react'

const DURATION_MS = 150

/** Returns a number that counts to `value` in 150 ms, or is there at once under reduced motion. */
export function useCountTo(value: number): number {
  const [shown, setShown] = useState(value)
  const from = useRef(value)
  useEffect(() => {
    const start = from.current
    from.current = value
    if (start === value || matchMedia('(prefers-reduced-motion: reduce)').matches) {
      setShown(value)
      return
    }
    const startedMs = performance.now()
    let frame = requestAnimationFrame(function step(nowMs) {
      const share = Math.min(1, Math.max(0, (nowMs - startedMs) / DURATION_MS))
      setShown(share === 1 ? value : Math.round(start + (value - start) * share))
      if (share < 1) frame = requestAnimationFrame(step)
    })
    // A window that draws no frames, because it is hidden or has no graphics process, must not keep an old number.
    const end = setTimeout(() => setShown(value), 2 * DURATION_MS)
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(end)
    }
  }, [value])
  return shown
}
