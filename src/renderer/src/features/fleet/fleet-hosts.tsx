import { GitFork, Hourglass, OctagonAlert } from 'lucide-react'
import { type ReactNode, useCallback } from 'react'
import type { ApiClient } from '../../../../api/client.ts'
import { clockWords } from '../../../../core/fleet/presence.ts'
import type { FleetFilter, FleetHost } from '../../../../core/fleet/view.ts'
import { HEARD_WORDS, REFUSAL_REMEDIES, REFUSAL_WORDS } from '../../../../core/vocabulary/fleet.ts'
import { counted } from '../../format/counted.ts'
import { exactTime } from '../../format/moments.ts'
import { sentence } from '../../format/sentence.ts'
import { fleetAddress } from '../../route/route.ts'
import { Prose } from '../../ui/prose.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { useLongList } from '../../ui/use-long-list.tsx'
import styles from './fleet.module.css'
import { Missing } from './missing.tsx'
import { useFleet } from './use-fleet.ts'

const loadHosts = (api: ApiClient, signal: AbortSignal) => api.fleet.hosts(undefined, { signal })

/** The hosts, starting with those that need attention; shows how long each has been silent, which alone is not a problem. */
export function FleetHosts({ filter: { host, group } }: { filter: FleetFilter }) {
  const found = useFleet(useCallback(loadHosts, []))
  return (
    <Missing of={found} what="The hosts">
      {(hosts) => (
        <Hosts
          hosts={hosts
            .filter((each) => (host ?? each.host) === each.host && (group ?? each.group) === each.group)
            .toSorted((a, b) => Number(hasTrouble(b)) - Number(hasTrouble(a)))}
        />
      )}
    </Missing>
  )
}

function hasTrouble({ halted, refused, clockOffsetSeconds }: FleetHost): boolean {
  return halted.length + refused.length > 0 || clockWords(clockOffsetSeconds) !== null
}

function Hosts({ hosts }: { hosts: readonly FleetHost[] }) {
  const { shown, more } = useLongList(hosts)
  if (hosts.length === 0) return <p className="empty">No host matches that name and group.</p>
  return (
    <>
      <ul className="card divided" aria-label="Hosts of the fleet">
        {shown.map((each) => (
          <Host key={each.host} of={each} />
        ))}
      </ul>
      {more}
    </>
  )
}

function Host({ of }: { of: FleetHost }) {
  const { host, group, labels, version, workspaces, events } = of
  const words = [...(group === null ? [] : [group]), ...labels, ...(version === null ? [] : [version])]
  return (
    <li className={styles.host}>
      <p className={styles.hostHead}>
        <a className={styles.name} href={fleetAddress('workspaces', null, { host })}>
          <bdi>{host}</bdi>
        </a>
        <span className={styles.where}>{words.join(' · ')}</span>
        <span className="quiet nowrap">{counted(workspaces, 'workspace')}</span>
        <span className="quiet nowrap">{counted(events, 'line')} received</span>
        <Heard of={of} />
      </p>
      <Troubles of={of} />
    </li>
  )
}

function Heard({ of: { heard, heardAt } }: { of: FleetHost }) {
  if (heard === 'heard' && heardAt !== null)
    return (
      <span className={styles.heard}>
        heard from <RelativeTime at={heardAt} now="just now" />
      </span>
    )
  return (
    <span className={styles.heard} data-silent>
      {HEARD_WORDS[heard]}
      {heardAt !== null && (
        <>
          {' '}
          Last <RelativeTime at={heardAt} />.
        </>
      )}
    </span>
  )
}

function Troubles({ of: { clockOffsetSeconds, halted, refused } }: { of: FleetHost }) {
  const clock = clockWords(clockOffsetSeconds)
  if (clock === null && halted.length + refused.length === 0) return null
  return (
    <ul className="stack gap-half">
      {halted.map(({ workspace, problem }) => (
        <Trouble key={workspace} tone="problem" icon={<GitFork size={14} />}>
          <bdi>{workspace}</bdi> is not sent any more. <Prose text={sentence(problem)} />
        </Trouble>
      ))}
      {refused.map(({ kind, count, workspace, detail, lastAt }) => (
        <Trouble key={kind} tone="problem" icon={<OctagonAlert size={14} />}>
          {counted(count, 'message')} refused: {REFUSAL_WORDS[kind]} (last of <bdi>{workspace}</bdi>, {detail}
          ,{' '}
          <time dateTime={lastAt} title={exactTime(Date.parse(lastAt))}>
            <RelativeTime at={lastAt} />
          </time>
          ). <Prose text={REFUSAL_REMEDIES[kind]} />
        </Trouble>
      ))}
      {clock !== null && (
        <Trouble tone="warning" icon={<Hourglass size={14} />}>
          {sentence(clock)}. Set it: the times that it records are wrong by that much.
        </Trouble>
      )}
    </ul>
  )
}

function Trouble({
  tone,
  icon,
  children,
}: {
  tone: 'problem' | 'warning'
  icon: ReactNode
  children: ReactNode
}) {
  return (
    <li className={styles.trouble} data-tone={tone}>
      <span aria-hidden>{icon}</span>
      <span>{children}</span>
    </li>
  )
}
