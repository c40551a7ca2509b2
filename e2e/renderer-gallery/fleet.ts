import type { ApiClient } from '../../src/api/client.ts'
import { cursorOf } from '../../src/core/fleet/cursor.ts'
import type {
  FleetEntry,
  FleetFilter,
  FleetHost,
  FleetRank,
  FleetWorkspace,
} from '../../src/core/fleet/view.ts'
import { latestDay } from '../../src/core/read-model/last-days.ts'
import { historyView } from '../../src/core/read-model/score.ts'
import { trustAnswer } from '../../src/core/read-model/trust-answer.ts'
import { mostUrgentFirst } from '../../src/core/read-model/urgency.ts'
import { fleetFeed } from './fleet-feed.ts'
import type { Folder } from './folder.ts'
import { iso } from './past.ts'

/** How many hosts a gallery's fleet has, and how many workspaces each. */
export interface FleetSize {
  readonly hosts: number
  readonly each: number
}

const MINUTE = 60_000

/** Returns an in-memory fleet: the scenario's folders, repeated on each host. Some hosts are silent, and some have problems. */
export function fleetCalls({ hosts: count, each }: FleetSize, folders: readonly Folder[], nowMs: number) {
  const hosts = Array.from({ length: count }, (_, index) => hostOf(index, each, nowMs))
  const all = hosts.flatMap((host, at) =>
    Array.from({ length: each }, (_, index): FleetWorkspace => {
      const folder = folders[(at + index) % folders.length]
      if (folder === undefined) throw new Error('A fleet needs folders.')
      const view = folder.view()
      return {
        host: host.host,
        group: host.group,
        heard: host.heard,
        seq: 120,
        lastAt: iso(nowMs - at * MINUTE),
        view: { ...view, id: `${view.id}-${index}`, path: '', tags: index % 2 === 0 ? ['nightly'] : [] },
      }
    }),
  )
  const meant = ({ host, group, tag }: FleetFilter) =>
    all
      .filter((row) => (host ?? row.host) === row.host && (group ?? row.group) === row.group)
      .filter(({ view }) => tag === undefined || view.tags.includes(tag))
      .toSorted((a, b) => mostUrgentFirst(a.view, b.view))
  const folderOf = (workspace: string): Folder => {
    const folder = folders.find(({ id }) => workspace.startsWith(`${id}-`))
    if (folder === undefined) throw new Error(`No ${workspace}`)
    return folder
  }
  const historyOf = (workspace: string) => historyView(folderOf(workspace).ledger.state)
  const entries = folders
    .flatMap((folder, at): FleetEntry[] =>
      folder.timeline().map((entry) => ({
        host: `build-${at}`,
        workspace: `${folder.id}-0`,
        name: folder.view().name,
        entry,
        cursor: cursorOf({ atMs: Date.parse(entry.at), row: entry.seq }),
      })),
    )
    .toSorted((a, b) => Date.parse(a.entry.at) - Date.parse(b.entry.at))
    .slice(-60)
  const calls: Partial<ApiClient['fleet']> = {
    hosts: async () => hosts,
    workspaces: async ({ offset, limit, ...filter }) =>
      meant(filter).slice(Number(offset), Number(offset) + Number(limit)),
    workspace: async ({ host, workspace }) => {
      const found = all.find((row) => row.host === host && row.view.id === workspace)
      if (found === undefined) throw new Error(`No ${workspace} on ${host}`)
      return { ...found, attempts: folderOf(workspace).view().attempts, history: historyOf(workspace) }
    },
    summary: async (filter) => ({
      problem: null,
      answer: trustAnswer(
        meant(filter).map(({ host, view }) => ({ ...view, name: `${view.name} on ${host}` })),
      ),
      workspaces: meant(filter).length,
      today: latestDay(all.map(({ view }) => historyOf(view.id))),
      asking: meant(filter).filter(({ view }) => view.needs.length > 0).length,
      choices: { hosts: hosts.map(({ host }) => host), groups: ['ci', 'office'], tags: ['nightly'] },
    }),
    leaderboard: async ({ offset, limit, ...filter }) => {
      const rows = meant(filter)
      return rows
        .map((row, index) => ({ ...rankOf(row, index, rows.length), history: historyOf(row.view.id) }))
        .slice(Number(offset ?? 0), Number(offset ?? 0) + Number(limit ?? all.length))
    },
    ...fleetFeed(entries),
  }
  return calls
}

/** Returns a host. One in ten is late and the next one down; one in twenty has a wrong clock; host 3 forked and sent altered events. */
function hostOf(index: number, workspaces: number, nowMs: number): FleetHost {
  const heard = index % 10 === 4 ? 'late' : index % 10 === 5 ? 'down' : 'heard'
  const silentMs = heard === 'heard' ? 5_000 : heard === 'late' ? 2 * MINUTE : 200 * MINUTE
  return {
    host: `build-${index}`,
    group: index % 3 === 0 ? 'office' : 'ci',
    labels: index % 7 === 0 ? ['linux', 'gpu'] : ['linux'],
    version: '0.1.0',
    heard,
    heardAt: iso(nowMs - silentMs),
    clockOffsetSeconds: index % 20 === 9 ? -3600 : 1,
    workspaces,
    events: 120 * workspaces,
    halted:
      index === 3
        ? [
            {
              workspace: 'backend-0',
              state: 'fork',
              problem: 'The hub has another line 80: look with `pulseward doctor`.',
            },
          ]
        : [],
    refused:
      index === 3
        ? [
            {
              kind: 'altered',
              count: 3,
              lastAt: iso(nowMs - MINUTE),
              workspace: 'backend-0',
              detail: 'line 80',
            },
          ]
        : [],
  }
}

/** Shares fall with every fifth workspace, and the last tenth has none. */
function rankOf({ host, view }: FleetWorkspace, index: number, count: number): Omit<FleetRank, 'history'> {
  const isRanked = index < count * 0.9
  const step = Math.floor(index / 5)
  return {
    host,
    workspace: view.id,
    name: view.name,
    agentId: view.agentId,
    shield: view.shield,
    unreviewed: view.unreviewed,
    rank: isRanked ? step * 5 + 1 : null,
    share: isRanked ? 110 - step : null,
    days: isRanked ? 7 : 0,
    verified: 40,
    failed: index % 5,
    contradictions: index % 4 === 3 ? 2 : 0,
  }
}
