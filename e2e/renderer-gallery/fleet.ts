import type { ApiClient } from '../../src/api/client.ts'
import type {
  FleetEntry,
  FleetFilter,
  FleetHost,
  FleetRank,
  FleetWorkspace,
} from '../../src/core/fleet/view.ts'
import { historyView } from '../../src/core/read-model/score.ts'
import { trustAnswer } from '../../src/core/read-model/trust-answer.ts'
import { mostUrgentFirst } from '../../src/core/read-model/urgency.ts'
import type { Folder } from './folder.ts'
import { iso } from './past.ts'

/** How many hosts a fleet of the gallery has, and how many workspaces each. */
export interface FleetSize {
  readonly hosts: number
  readonly each: number
}

const MINUTE = 60_000

/** A fleet in memory: on each host the folders of the scenario again and again; some hosts are silent, and some have troubles. */
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
  const historyOf = (workspace: string) => {
    const folder = folders.find(({ id }) => workspace.startsWith(`${id}-`))
    if (folder === undefined) throw new Error(`No ${workspace}`)
    return historyView(folder.ledger.state)
  }
  const entries = folders
    .flatMap((folder, at): FleetEntry[] =>
      folder.timeline().map((entry) => ({
        host: `build-${at}`,
        workspace: `${folder.id}-0`,
        name: folder.view().name,
        entry,
        cursor: `${Date.parse(entry.at)}-${entry.seq}`,
      })),
    )
    .toSorted((a, b) => Date.parse(b.entry.at) - Date.parse(a.entry.at))
    .slice(0, 60)
  const calls: Partial<ApiClient['fleet']> = {
    hosts: async () => hosts,
    workspaces: async ({ offset, limit, ...filter }) =>
      meant(filter).slice(Number(offset), Number(offset) + Number(limit)),
    workspace: async ({ host, workspace }) => {
      const found = all.find((row) => row.host === host && row.view.id === workspace)
      const folder = folders.find(({ id }) => workspace.startsWith(`${id}-`))
      if (found === undefined || folder === undefined) throw new Error(`No ${workspace} on ${host}`)
      return { ...found, attempts: folder.view().attempts, history: historyOf(workspace) }
    },
    summary: async (filter) => ({
      problem: null,
      answer: trustAnswer(
        meant(filter).map(({ host, view }) => ({ ...view, name: `${view.name} on ${host}` })),
      ),
      workspaces: meant(filter).length,
      asking: meant(filter).filter(({ view }) => view.needs.length > 0).length,
      choices: { hosts: hosts.map(({ host }) => host), groups: ['ci', 'office'], tags: ['nightly'] },
    }),
    leaderboard: async ({ offset, limit, ...filter }) =>
      meant(filter)
        .map((row, index) => ({ ...rankOf(row, index), history: historyOf(row.view.id) }))
        .slice(Number(offset ?? 0), Number(offset ?? 0) + Number(limit ?? all.length)),
    timeline: async () => entries,
    arrivals: async () => ({ entries: [], arrival: 0, reach: 'all' }),
  }
  return calls
}

/** Every tenth is late, the one after it down; each twentieth has a clock that is off, and the third forked and sent what was altered. */
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

function rankOf({ host, view }: FleetWorkspace, index: number): Omit<FleetRank, 'history'> {
  return {
    host,
    workspace: view.id,
    name: view.name,
    agentId: view.agentId,
    shield: view.shield,
    share: index % 9 === 8 ? null : 110 - index,
    days: index % 9 === 8 ? 0 : 7,
    verified: 40,
    failed: index % 5,
    contradictions: index % 4 === 3 ? 2 : 0,
  }
}
