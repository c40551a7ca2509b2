import { exactTime, relativeTime } from '../format/moments.ts'
import { useNow } from './use-now.ts'

/** A moment relative to now, with the exact one on hover. `at` is ISO 8601; `now` is the text for the present moment. */
export function RelativeTime({ at, now }: { at: string; now?: string }) {
  const nowMs = useNow()
  const atMs = Date.parse(at)
  return (
    <time dateTime={at} title={exactTime(atMs)}>
      {relativeTime(atMs, nowMs, now)}
    </time>
  )
}
