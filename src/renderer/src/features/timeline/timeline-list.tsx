import { useCallback, useState } from 'react'
import type { TimelineEntry } from '../../../../core/record/timeline-entry.ts'
import { counted } from '../../format/counted.ts'
import { Button } from '../../ui/button.tsx'
import { takeReturn } from '../../ui/kept-place.ts'
import { NotLoaded } from '../../ui/not-loaded.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { linksOfWorkspace } from './entry-links.ts'
import { Feed } from './feed.tsx'
import type { ShownFilter } from './filter.ts'
import { dayInWords } from './groups.ts'
import { isAtTopOfFeed } from './is-at-top.ts'
import styles from './timeline.module.css'
import { useTimeline, type Wanted } from './use-timeline.ts'

/** The entries that match `filter`. `openId` is the open entry, at which the list begins unless there is a day. */
export function TimelineList({
  workspaceId,
  filter,
  openId,
  day,
  onOpen,
  onShowAll,
}: {
  workspaceId: string
  filter: ShownFilter
  openId: string | null
  /** The day at which the list begins. */
  day: string | null
  onOpen: (id: string | null) => void
  /** `null` if the filter already shows everything. */
  onShowAll: (() => void) | null
}) {
  // Going back returns to the entry that was in view; otherwise the list begins with the one in the address.
  const [wanted] = useState((): Wanted | null => {
    const returned = takeReturn()
    if (returned === null && day !== null) return { day }
    const entry = returned ?? openId
    return entry === null ? null : { entry }
  })
  const linksOf = useCallback(({ id }: TimelineEntry) => linksOfWorkspace(workspaceId, id), [workspaceId])
  const open = openId !== null
  const timeline = useTimeline(workspaceId, filter, wanted, () => isAtTopOfFeed() && !open)
  const { loaded, problem, retry, found } = timeline
  if (problem !== null && loaded === null) {
    return <NotLoaded what="The timeline" problem={problem} retry={retry} />
  }
  if (loaded === null) return <Skeleton width="60%" />
  return (
    <>
      {found === 'missing' && (
        <p className="quiet" role="alert">
          The linked entry is not shown.{' '}
          {onShowAll !== null && <Button onClick={onShowAll}>Show everything</Button>}
        </p>
      )}
      {timeline.missedDay !== null && (
        <p className="quiet" role="status">
          Nothing of {dayInWords(timeline.missedDay)} is among these: the list begins at the entry before it.
        </p>
      )}
      {problem !== null && (
        <p role="alert">
          {problem.message}{' '}
          <Button look="quiet" onClick={retry}>
            Try again
          </Button>
        </p>
      )}
      {loaded.total === 0 && loaded.complete ? (
        <Nothing onShowAll={onShowAll} waiting={timeline.waiting} onShowWaiting={timeline.showWaiting} />
      ) : (
        <Feed
          linksOf={linksOf}
          loaded={loaded}
          need={timeline.need}
          text={filter.text}
          startAt={typeof found === 'number' ? found : null}
          waiting={timeline.waiting}
          onShowWaiting={timeline.showWaiting}
          openId={openId}
          onOpen={onOpen}
        />
      )}
    </>
  )
}

function Nothing({
  onShowAll,
  waiting,
  onShowWaiting,
}: {
  onShowAll: (() => void) | null
  waiting: number
  onShowWaiting: () => Promise<void>
}) {
  return (
    <div className={styles.empty}>
      {onShowAll === null ? (
        <p>
          Nothing has happened yet. After the first heartbeat, every verdict appears here with what was
          claimed beside what was measured.
        </p>
      ) : (
        <>
          <p>Nothing of this kind is recorded.</p>
          <Button onClick={onShowAll}>Show everything</Button>
        </>
      )}
      {waiting > 0 && (
        <Button onClick={() => void onShowWaiting()}>
          Show {counted(waiting, 'new entry', 'new entries')}
        </Button>
      )}
    </div>
  )
}
