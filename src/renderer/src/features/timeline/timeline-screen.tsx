import { useMemo, useRef } from 'react'
import type { WorkspaceDetail } from '../../../../core/read-model/workspace.ts'
import { routeTo, type WorkspaceRoute } from '../../route/route.ts'
import { replaceAddress } from '../../route/use-route.ts'
import { ExportMenu } from './export-menu.tsx'
import { filterOf, queryOf, type ShownFilter } from './filter.ts'
import { FilterBar } from './filter-bar.tsx'
import styles from './timeline.module.css'
import { TimelineList } from './timeline-list.tsx'

/** Everything that happened in a workspace, newest first; the address has what it is narrowed to and the entry that is open. */
export function TimelineScreen({ detail, route }: { detail: WorkspaceDetail; route: WorkspaceRoute }) {
  const { workspaceId, item } = route
  const query = JSON.stringify(queryOf(filterOf(route.query)))
  const filter = useMemo(() => filterOf(JSON.parse(query)), [query])
  // An entry opened in the list stays where it is; one that an address names restarts the list around that entry.
  const opened = useRef<string | null>(null)
  const began = useRef(item)
  if (item !== null && item !== opened.current) began.current = item
  const go = (entry: string | null, to: ShownFilter) => {
    opened.current = entry
    replaceAddress(routeTo(workspaceId, 'timeline', entry, queryOf(to)))
  }
  return (
    <section className={styles.timeline} aria-label="Timeline">
      <FilterBar filter={filter} tasks={detail.tasks.map(({ id }) => id)} onChange={(to) => go(null, to)}>
        <ExportMenu workspaceId={workspaceId} name={detail.name} filter={filter} />
      </FilterBar>
      <TimelineList
        key={`${query} ${began.current}`}
        workspaceId={workspaceId}
        filter={filter}
        openId={item}
        onOpen={(entry) => go(entry, filter)}
        onShowAll={query === '{}' ? null : () => replaceAddress(routeTo(workspaceId, 'timeline', item))}
      />
    </section>
  )
}
