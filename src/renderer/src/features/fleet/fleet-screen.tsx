import { Unplug } from 'lucide-react'
import { useCallback, useMemo } from 'react'
import type { ApiClient } from '../../../../api/client.ts'
import type { FleetFilter, FleetSummary } from '../../../../core/fleet/view.ts'
import { counted } from '../../format/counted.ts'
import { FLEET_PARTS, type FleetPart, type FleetRoute, fleetAddress } from '../../route/route.ts'
import { replaceAddress } from '../../route/use-route.ts'
import { Banner } from '../../ui/banner.tsx'
import screenStyles from '../../ui/screen.module.css'
import { ScreenHead } from '../../ui/screen-head.tsx'
import tabStyles from '../../ui/tabs.module.css'
import styles from './fleet.module.css'
import { FleetFilters, filterOf, withoutFilter } from './fleet-filter.tsx'
import { FleetHosts } from './fleet-hosts.tsx'
import { FleetRanks } from './fleet-ranks.tsx'
import { FleetTimeline } from './fleet-timeline.tsx'
import { FleetWorkspace } from './fleet-workspace.tsx'
import { FleetWorkspaces } from './fleet-workspaces.tsx'
import { Missing } from './missing.tsx'
import { NoHosts } from './no-hosts.tsx'
import { useFleet } from './use-fleet.ts'

const PART_WORDS: Readonly<Record<FleetPart, string>> = {
  workspaces: 'Workspaces',
  hosts: 'Hosts',
  leaderboard: '7 days',
  timeline: 'Timeline',
}

/** All hosts of the fleet whose center this host is: whether their agents can be trusted, and which need the operator. */
export function FleetScreen({ route }: { route: FleetRoute }) {
  const query = JSON.stringify(filterOf(route.query))
  const filter = useMemo((): FleetFilter => JSON.parse(query), [query])
  const summary = useFleet(
    useCallback((api: ApiClient, signal: AbortSignal) => api.fleet.summary(filter, { signal }), [filter]),
  )
  if (route.part === 'workspaces' && route.item !== null)
    return <FleetWorkspace {...route.item} filter={filter} />
  return (
    <div className={`${screenStyles.screen} ${styles.screen}`}>
      <ScreenHead
        title="Fleet"
        answer={summary.value?.answer ?? null}
        page="fleet"
        anchor="the-page"
        about="the fleet"
      />
      <Missing of={summary} what="The fleet">
        {(value) => <Parts route={route} filter={filter} summary={value} />}
      </Missing>
    </div>
  )
}

function Parts({
  route: { part, query, item },
  filter,
  summary,
}: {
  route: FleetRoute
  filter: FleetFilter
  summary: FleetSummary
}) {
  const { problem, choices, workspaces, asking, today } = summary
  if (choices.hosts.length === 0)
    return (
      <>
        <NoHub problem={problem} />
        <NoHosts />
      </>
    )
  return (
    <>
      <NoHub problem={problem} />
      <nav className={tabStyles.tabs} aria-label="Fleet screens">
        {FLEET_PARTS.map((each) => (
          <a
            key={each}
            className={tabStyles.tab}
            href={fleetAddress(each, null, { ...filter })}
            aria-current={each === part ? 'page' : undefined}
          >
            {PART_WORDS[each]}
            {each === 'hosts' && <span className={tabStyles.count}>{choices.hosts.length}</span>}
          </a>
        ))}
      </nav>
      <FleetFilters
        filter={filter}
        choices={choices}
        isHostAlone={part === 'hosts'}
        onChange={(to) => replaceAddress(fleetAddress(part, null, { ...withoutFilter(query), ...to }))}
      />
      {part === 'workspaces' && (
        <p className="measure small faint figures pretty" role="status">
          {counted(workspaces, 'workspace')}, {asking === 0 ? 'no decisions' : `${asking} with decisions`}
        </p>
      )}
      {part === 'workspaces' && <FleetWorkspaces filter={filter} total={workspaces} />}
      {part === 'hosts' && <FleetHosts filter={filter} />}
      {part === 'leaderboard' && (
        <FleetRanks key={JSON.stringify(filter)} filter={filter} total={workspaces} today={today} />
      )}
      {part === 'timeline' && <FleetTimeline filter={filter} query={query} item={item} />}
    </>
  )
}

function NoHub({ problem }: { problem: string | null }) {
  if (problem === null) return null
  return (
    <Banner tone="environment" icon={<Unplug size={16} />}>
      <p role="status">
        The hub can’t be reached: {problem} You see the last data received. Pulseward keeps trying; the hosts
        keep working.
      </p>
    </Banner>
  )
}
