import { useMemo, useRef } from 'react'
import type { WorkspaceDetail } from '../../../../core/read-model/workspace.ts'
import { dayAddress, routeTo, type WorkspaceRoute } from '../../route/route.ts'
import { replaceAddress } from '../../route/use-route.ts'
import { ExportMenu } from './export-menu.tsx'
import { filterOf, queryOf, type ShownFilter } from './filter.ts'
import { DayField, FilterBar } from './filter-bar.tsx'
import { TimelineList } from './timeline-list.tsx'

/** Where the list begins. */
interface Beginning {
  readonly entry: string | null
  /** For example, `2026-11-20`. */
  readonly day: string | null
}

/** Everything that happened in a workspace, newest first; the address contains the filter and the open entry. */
export function TimelineScreen({ detail, route }: { detail: WorkspaceDetail; route: WorkspaceRoute }) {
  const { workspaceId, item } = route
  const query = JSON.stringify(queryOf(filterOf(route.query)))
  const filter = useMemo(() => filterOf(JSON.parse(query)), [query])
  // An entry opened in the list stays where it is; an entry or a day in the address restarts the list there.
  const opened = useRef<string | null>(null)
  const day = route.query.day ?? null
  const began = useRef<Beginning>({ entry: item, day })
  if (item !== null && item !== opened.current) began.current = { entry: item, day: null }
  else if (item === null && day !== null) began.current = { entry: null, day }
  const go = (entry: string | null, to: ShownFilter) => {
    opened.current = entry
    replaceAddress(routeTo(workspaceId, 'timeline', entry, queryOf(to)))
  }
  return (
    <section className="stack gap-3" aria-label="Timeline">
      <FilterBar
        filter={filter}
        tasks={detail.tasks.map(({ id }) => id)}
        day={
          <DayField
            day={day}
            onChange={(to) => replaceAddress(dayAddress(workspaceId, to, queryOf(filter)))}
          />
        }
        onChange={(to) => go(null, to)}
      >
        <ExportMenu workspaceId={workspaceId} name={detail.name} filter={filter} />
      </FilterBar>
      <TimelineList
        key={`${query} ${began.current.entry} ${began.current.day}`}
        workspaceId={workspaceId}
        filter={filter}
        openId={item}
        day={began.current.day}
        onOpen={(entry) => go(entry, filter)}
        onShowAll={query === '{}' ? null : () => replaceAddress(routeTo(workspaceId, 'timeline', item))}
      />
    </section>
  )
}
