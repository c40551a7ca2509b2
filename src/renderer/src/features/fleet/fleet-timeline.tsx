import { useCallback, useState } from 'react'
import type { FleetEntry, FleetFilter } from '../../../../core/fleet/view.ts'
import type { TimelineEntry } from '../../../../core/record/timeline-entry.ts'
import { fleetAddress } from '../../route/route.ts'
import { useApp } from '../../store/use-app.ts'
import { NotLoaded } from '../../ui/not-loaded.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { EntryLinks } from '../timeline/entry-links.ts'
import { SaveMenu } from '../timeline/export-menu.tsx'
import { Feed } from '../timeline/feed.tsx'
import { isAtTopOfFeed } from '../timeline/is-at-top.ts'
import styles from './fleet.module.css'
import { useFleetTimeline } from './use-fleet-timeline.ts'

/** Everything that happened on all hosts, newest first, each entry with its host. */
export function FleetTimeline({ filter }: { filter: FleetFilter }) {
  const api = useApp((state) => state.api)
  const [openId, setOpenId] = useState<string | null>(null)
  const isOpen = openId !== null
  const timeline = useFleetTimeline(filter, () => isAtTopOfFeed() && !isOpen)
  const { loaded, problem, retry, whoseOf } = timeline
  const linksOf = useCallback((entry: TimelineEntry) => linksTo(whoseOf(entry)), [whoseOf])
  return (
    <section className={styles.timeline} aria-label="Timeline">
      <div>
        <SaveMenu name="fleet" load={(format) => api.fleet.export({ ...filter, format })} />
      </div>
      {problem !== null && <NotLoaded what="The timeline" problem={problem} retry={retry} />}
      {loaded === null && problem === null && <Skeleton width="60%" />}
      {loaded !== null && loaded.total === 0 && loaded.complete && (
        <p className={styles.none}>Nothing has happened there yet.</p>
      )}
      {loaded !== null && loaded.total > 0 && (
        <Feed
          linksOf={linksOf}
          isOfOne={false}
          loaded={loaded}
          need={timeline.need}
          startAt={null}
          waiting={timeline.waiting}
          onShowWaiting={timeline.showWaiting}
          openId={openId}
          onOpen={setOpenId}
        />
      )}
    </section>
  )
}

/** The attempt whole, its output and its files are on the host. */
function linksTo(whose: FleetEntry | undefined): EntryLinks {
  return {
    attempt: () => null,
    contract: null,
    entry: null,
    where: whose === undefined ? null : <Where {...whose} />,
  }
}

function Where({ host, workspace, name }: FleetEntry) {
  return (
    <a href={fleetAddress('workspaces', { host, workspace })} tabIndex={-1}>
      <bdi>{host}</bdi> · <bdi>{name}</bdi>
    </a>
  )
}
