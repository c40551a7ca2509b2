import type { FleetWorkspaceFacts, Presence } from '../../core/fleet/presence.ts'
import { heardState } from '../../core/fleet/presence.ts'
import type { FleetEntry, FleetFilter, FleetHost, FleetRank, FleetWorkspace } from '../../core/fleet/view.ts'
import { workspaceView } from '../../core/read-model/workspace.ts'
import { timelineEntrySchema } from '../../core/record/timeline-entry.ts'
import type { Clock } from '../ports/clock.ts'
import type { FleetCentre } from '../ports/fleet.ts'
import type { CentreStore, StoredRecord } from './centre-store.ts'

interface Heard {
  readonly presence: Presence
  /** By the hub's clock. */
  readonly atMs: number
}

const RANKED_DAYS = 7

/** What was heard of hosts and taken of their records, as it is shown. */
export class CentreViews implements FleetCentre {
  readonly store: CentreStore
  /** Why there is no hub just now; `null`: there is. */
  problem: string | null = null
  readonly #clock: Clock
  readonly #hosts = new Map<string, Heard>()
  readonly #facts = new Map<string, FleetWorkspaceFacts>()

  constructor(store: CentreStore, clock: Clock) {
    this.store = store
    this.#clock = clock
  }

  heard(host: string, presence: Presence, atMs: number): void {
    this.#hosts.set(host, { presence, atMs })
  }

  told(host: string, facts: FleetWorkspaceFacts): void {
    this.#facts.set(`${host}/${facts.id}`, facts)
  }

  hosts(): FleetHost[] {
    const counts = this.store.counts()
    const names = [...new Set([...this.#hosts.keys(), ...counts.keys()])].toSorted()
    return names.map((host) => {
      const heard = this.#hosts.get(host)
      const presence = heard?.presence
      const offsetMs = heard === undefined ? null : Date.parse(heard.presence.at) - heard.atMs
      return {
        host,
        group: presence?.group ?? null,
        labels: [...(presence?.labels ?? [])],
        version: presence?.version ?? null,
        heard: heardState(heard?.atMs ?? null, this.#clock.nowMs()),
        heardAt: heard === undefined ? null : new Date(heard.atMs).toISOString(),
        clockOffsetSeconds: offsetMs === null ? null : Math.round(offsetMs / 1000),
        workspaces: presence?.workspaces ?? 0,
        events: counts.get(host) ?? 0,
        halted: [...(presence?.halted ?? [])],
        refused: this.store.refusals(host),
      }
    })
  }

  workspaces(filter: FleetFilter): FleetWorkspace[] {
    return this.#meant(filter).map((record) => {
      const { host, workspace, seq, lastAt, state } = record
      const heard = this.#hosts.get(host)
      const facts = this.#facts.get(`${host}/${workspace}`) ?? unknownFacts(workspace)
      return {
        host,
        group: heard?.presence.group ?? null,
        heard: heardState(heard?.atMs ?? null, this.#clock.nowMs()),
        seq,
        lastAt: lastAt === '' ? null : lastAt,
        view: workspaceView(state, { ...facts, path: '', permissions: [], notices: [] }),
      }
    })
  }

  leaderboard(filter: FleetFilter): FleetRank[] {
    const ranks = this.#meant(filter).map((record): FleetRank => {
      const { host, workspace, state } = record
      const facts = this.#facts.get(`${host}/${workspace}`)
      const days = state.score.history.slice(0, RANKED_DAYS)
      const sum = (of: 'score' | 'target' | 'verifiedCount' | 'failedCount' | 'contradictionCount') =>
        days.reduce((total, day) => total + day[of], 0)
      return {
        host,
        workspace,
        name: facts?.name ?? workspace,
        agentId: facts?.agentId ?? null,
        share: sum('target') === 0 ? null : Math.round((sum('score') / sum('target')) * 1000) / 10,
        days: days.length,
        verified: sum('verifiedCount'),
        failed: sum('failedCount'),
        contradictions: sum('contradictionCount'),
      }
    })
    return ranks.toSorted((a, b) => (b.share ?? -Infinity) - (a.share ?? -Infinity) || 0)
  }

  timeline(filter: FleetFilter, beforeMs: number, limit: number): FleetEntry[] {
    const isAll = filter.host === undefined && filter.group === undefined && filter.tag === undefined
    const meant = isAll
      ? null
      : new Set(this.#meant(filter).map(({ host, workspace }) => `${host}/${workspace}`))
    return this.store
      .entries(beforeMs, limit, ({ host, workspace }) => meant === null || meant.has(`${host}/${workspace}`))
      .map(({ host, workspace, json }) => ({
        host,
        workspace,
        entry: timelineEntrySchema.parse(JSON.parse(json)),
      }))
  }

  #meant({ host, group, tag }: FleetFilter): StoredRecord[] {
    return this.store.records().filter((record) => {
      if (host !== undefined && record.host !== host) return false
      if (group !== undefined && this.#hosts.get(record.host)?.presence.group !== group) return false
      if (tag === undefined) return true
      return this.#facts.get(`${record.host}/${record.workspace}`)?.tags.includes(tag) ?? false
    })
  }
}

/** Until its host has told of it. */
function unknownFacts(id: string): FleetWorkspaceFacts {
  return {
    id,
    name: id,
    tags: [],
    agentId: null,
    trust: 'missing',
    zone: 'UTC',
    standing: {
      penalty: 'none',
      reward: 'none',
      level: 'none',
      intervalMinutes: 0,
      forceAllRequired: false,
      message: '',
      intervalReason: '',
    },
    next: { dueMs: null, state: 'none', reason: '' },
  }
}
