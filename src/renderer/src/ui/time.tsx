import { exactTime, relativeTime } from '../format/moments.ts'
import { useNow } from './use-now.ts'

/** A moment as seen from now, the exact one on hover. `at` is ISO 8601. */
export function RelativeTime({ at }: { at: string }) {
  const nowMs = useNow()
  const atMs = Date.parse(at)
  return (
    <time dateTime={at} title={exactTime(atMs)}>
      {relativeTime(atMs, nowMs)}
    </time>
  )
}
