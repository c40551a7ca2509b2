import type { Workspace } from '../../../../core/read-model/workspace.ts'
import { sayPace } from '../../../../core/record/budget.ts'
import { exactTime, relativeTime, timeElsewhere, timeOfDay } from '../../format/moments.ts'
import { Popover } from '../../ui/popover.tsx'
import { useNow } from '../../ui/use-now.ts'
import styles from './workspace.module.css'

/** When the next heartbeat comes, as a countdown, with the reason behind "why?". */
export function NextHeartbeat({ workspace }: { workspace: Workspace }) {
  const elsewhere = workspace.next.at === null ? null : timeElsewhere(workspace.next.at)
  return (
    <p className={styles.next}>
      <NextWords workspace={workspace} />
      {workspace.next.reason !== '' && (
        <Popover
          label="Why then"
          trigger={
            <button type="button" className={styles.why}>
              why?
            </button>
          }
        >
          <p>{workspace.next.reason}</p>
          {elsewhere !== null && (
            <p>
              Times in this reason are those of the workspace, where the next heartbeat is at {elsewhere}.
            </p>
          )}
          {workspace.pace != null && <p>Used: {sayPace(workspace.pace)}.</p>}
        </Popover>
      )}
    </p>
  )
}

/** Shows when the next heartbeat comes, or that the workspace is running, suspended or paused. */
export function NextWords({ workspace: { next, paused, suspended, running } }: { workspace: Workspace }) {
  const nowMs = useNow()
  if (running !== null) return <span>heartbeat {running.cycle} running</span>
  if (suspended !== null) return <span>suspended</span>
  if (next.at === null) return <span>{paused === null ? 'no heartbeat planned' : 'paused'}</span>
  const atMs = Date.parse(next.at)
  const when = whenWords(next.state, atMs <= nowMs)
  return (
    <time dateTime={next.at} title={exactTime(atMs)}>
      {when} <strong>{timeOfDay(atMs)}</strong> <span className="faint">({relativeTime(atMs, nowMs)})</span>
    </time>
  )
}

function whenWords(state: Workspace['next']['state'], isPast: boolean): string {
  if (state === 'parked') return 'parked until'
  return state === 'late' || isPast ? 'due' : 'next'
}
