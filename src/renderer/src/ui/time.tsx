import { exactTime, relativeTime } from '../format/moments.ts'
import { useNow } from './use-now.ts'

/** A moment as seen from now, the exact one on hover. `at` is ISO 8601; `now` is what this moment is called. */
export function RelativeTime({ at, now }: { at: string; now?: string }) {
  const nowMs = useNow()
  const atMs = Date.parse(at)
  return (
    <time dateTime={at} title={exactTime(atMs)}>
      {relativeTime(atMs, nowMs, now)}
    </time>
  )
}
