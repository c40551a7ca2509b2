import type { FleetWorkspaceFacts, Presence } from '../../core/fleet/presence.ts'
import { DOWN_MS, heardState } from '../../core/fleet/presence.ts'
import type {
  FleetDetail,
  FleetFilter,
  FleetHost,
  FleetRank,
  FleetSummary,
  FleetWorkspace,
} from '../../core/fleet/view.ts'
import { attemptView } from '../../core/read-model/attempt.ts'
import type { WorkspaceFigures } from '../../core/read-model/figures.ts'
import { finishedDays, lastDates, latestDay, ranksOf, shareOf } from '../../core/read-model/last-days.ts'
import { trustAnswer } from '../../core/read-model/trust-answer.ts'
import { mostUrgentFirst } from '../../core/read-model/urgency.ts'
import { isolated } from '../../core/text/isolated.ts'
import type { Clock } from '../ports/clock.ts'
import type { FleetCentre, FleetTimeline } from '../ports/fleet.ts'
import type { CentreStore } from './centre-store.ts'
import { CentreTimeline } from './centre-timeline.ts'
import { type ShownRecord, ShownRecords } from './shown-records.ts'
import type { EntriesOf } from './stored-entries.ts'

interface Heard {
  readonly presence: Presence
  /** Time by the hub's clock. */
  readonly atMs: number
}

const SHOWN_ATTEMPTS = 50
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Builds what is shown from what hosts sent and from their records. */
export class CentreViews implements Omit<FleetCentre, 'content'> {
  readonly store: CentreStore
  readonly timeline: FleetTimeline
  /** Why the hub is unavailable; `null`: it is available. */
  problem: string | null = null
  readonly #clock: Clock
  readonly #hosts = new Map<string, Heard>()
  /** Per host, the instances heard within five minutes. */
  readonly #instances = new Map<string, Map<string, Heard>>()
  /** Per host, when two instances were last reported. */
  readonly #notedTwo = new Map<string, number>()
  readonly #records: ShownRecords

  constructor(store: CentreStore, clock: Clock) {
    this.store = store
    this.#clock = clock
    this.#records = new ShownRecords(store)
    this.timeline = new CentreTimeline(
      store.entries,
      ({ host, workspace }) => this.#records.nameOf(host, workspace),
      (filter) => this.#placesOf(filter),
    )
  }

  caughtUp(): Promise<void> {
    return this.#records.caughtUp()
  }

  /** Returns true if two instances run under the host's key and that was not reported within the last hour. */
  heard(host: string, presence: Presence, atMs: number): boolean {
    const before = this.#hosts.get(host)
    const known = this.#instances.get(host) ?? new Map<string, Heard>()
    const { instance } = presence
    // An instance that joined again has another id, and the previous one goes silent.
    const isBack = known.has(instance ?? '')
    const hasChanged = before !== undefined && before.presence.instance !== instance
    this.#instances.set(host, known.set(instance ?? '', { presence, atMs }))
    for (const [each, heard] of known) if (atMs - heard.atMs >= DOWN_MS) known.delete(each)
    this.#hosts.set(host, { presence, atMs })
    const notedMs = this.#notedTwo.get(host) ?? Number.NEGATIVE_INFINITY
    if (!isBack || !hasChanged || atMs - notedMs < HOUR_MS) return false
    this.#notedTwo.set(host, atMs)
    const names = [before.presence.instance ?? 'one', instance ?? 'another']
    this.store.note(host, 'two-instances', names.join(' and '), new Date(atMs).toISOString())
    return true
  }

  /** Returns the records that instances of a host no longer send: if two run, each reports its own. */
  #haltedOf(host: string): Presence['halted'] {
    const all = [...(this.#instances.get(host)?.values() ?? [])].flatMap(({ presence }) => presence.halted)
    return [...new Map(all.map((one) => [one.workspace, one])).values()]
  }

  told(host: string, facts: FleetWorkspaceFacts): void {
    this.#records.told(host, facts)
  }

  hosts(): FleetHost[] {
    const counts = this.store.counts()
    const refusals = this.store.refusals()
    return this.#names().map((host) => {
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
        halted: this.#haltedOf(host),
        refused: [...(refusals.get(host) ?? [])],
      }
    })
  }

  workspaces(filter: FleetFilter, offset = 0, limit = Number.MAX_SAFE_INTEGER): FleetWorkspace[] {
    return this.#meant(filter)
      .toSorted((a, b) => mostUrgentFirst(a.view, b.view))
      .slice(offset, offset + limit)
      .map((each) => this.#placed(each))
  }

  workspace(host: string, workspace: string): FleetDetail | null {
    const found = this.#records.find(host, workspace)
    if (found === undefined) return null
    const state = this.store.state(host, workspace)
    return {
      ...this.#placed(found),
      attempts: state.attempts.slice(0, SHOWN_ATTEMPTS).map(attemptView),
      history: found.history,
    }
  }

  summary(filter: FleetFilter): FleetSummary {
    const meant = this.#meant(filter)
    const hosts = this.#names()
    const groups = hosts.flatMap((host) => this.#hosts.get(host)?.presence.group ?? [])
    const tags = this.#records.all().flatMap(({ view }) => view.tags)
    return {
      problem: this.problem,
      // Many hosts have a workspace with the same name.
      answer: trustAnswer(
        meant.map(({ head, view: { name, shield, unreviewed, score } }) => ({
          name: `${isolated(name)} on ${head.host}`,
          shield,
          unreviewed,
          score,
        })),
      ),
      workspaces: meant.length,
      today: this.#today(),
      asking: meant.filter(({ view }) => view.needs.length > 0).length,
      choices: {
        hosts,
        groups: [...new Set(groups)].toSorted(),
        tags: [...new Set(tags)].toSorted(),
      },
    }
  }

  leaderboard(filter: FleetFilter, offset = 0, limit = Number.MAX_SAFE_INTEGER): FleetRank[] {
    const dates = lastDates(this.#today())
    const order = this.#meant(filter)
      .map((record) => ({ record, share: shareOf(finishedDays(record.history, dates)) }))
      .toSorted((a, b) => (b.share ?? -Infinity) - (a.share ?? -Infinity) || 0)
    const ranks = ranksOf(order.map(({ share }) => share))
    return order
      .slice(offset, offset + limit)
      .map(({ record, share }, index) => rankOf(record, dates, share, ranks[offset + index] ?? null))
  }

  figures(): WorkspaceFigures[] {
    return this.#meant({})
      .toSorted((a, b) => mostUrgentFirst(a.view, b.view))
      .map(({ figures }) => figures)
  }

  /** Returns one string for how long ago each host was heard; it changes when a host goes silent. */
  protected heardStates(): string {
    const nowMs = this.#clock.nowMs()
    return [...this.#hosts].map(([host, { atMs }]) => `${host} ${heardState(atMs, nowMs)}`).join()
  }

  /**
   * Time zones are up to a day ahead. A host with a clock further ahead does not hide other hosts' days, unless it is the only host: then
   * our own clock may be behind.
   */
  #today(): string {
    const tomorrow = new Date(this.#clock.nowMs() + DAY_MS).toISOString().slice(0, 10)
    const histories = this.#records.all().map(({ history }) => history)
    const kept = histories.filter(({ today }) => today.date <= tomorrow)
    return latestDay(kept.length > 0 ? kept : histories)
  }

  #names(): string[] {
    return [...new Set([...this.#hosts.keys(), ...this.store.counts().keys()])].toSorted()
  }

  #placed({ head, view }: ShownRecord): FleetWorkspace {
    const heard = this.#hosts.get(head.host)
    return {
      host: head.host,
      group: heard?.presence.group ?? null,
      heard: heardState(heard?.atMs ?? null, this.#clock.nowMs()),
      seq: head.seq,
      lastAt: head.lastAt === '' ? null : head.lastAt,
      view,
    }
  }

  /** Returns the workspaces whose entries a filter may match. */
  #placesOf(filter: FleetFilter): EntriesOf {
    const { host, group, tag } = filter
    const isOfHosts = host !== undefined || group !== undefined
    return {
      hosts: isOfHosts ? this.#names().filter((name) => this.#isHostMeant(name, filter)) : null,
      workspaces: tag === undefined ? null : this.#meant(filter).map(({ head }) => head),
    }
  }

  #isHostMeant(name: string, { host, group }: FleetFilter): boolean {
    if (host !== undefined && name !== host) return false
    return group === undefined || this.#hosts.get(name)?.presence.group === group
  }

  #meant(filter: FleetFilter): ShownRecord[] {
    const { tag } = filter
    return this.#records
      .all()
      .filter(
        ({ head, view }) =>
          this.#isHostMeant(head.host, filter) && (tag === undefined || view.tags.includes(tag)),
      )
  }
}

function rankOf(
  { head: { host, workspace }, view: { name, agentId, shield, unreviewed }, history }: ShownRecord,
  dates: readonly string[],
  share: number | null,
  rank: number | null,
): FleetRank {
  const days = finishedDays(history, dates)
  const sum = (of: 'verifiedCount' | 'failedCount' | 'contradictionCount'): number =>
    days.reduce((total, day) => total + day[of], 0)
  return {
    host,
    workspace,
    name,
    agentId,
    shield,
    unreviewed,
    rank,
    share: share === null ? null : Math.round(share * 1000) / 10,
    days: days.length,
    verified: sum('verifiedCount'),
    failed: sum('failedCount'),
    contradictions: sum('contradictionCount'),
    history,
  }
}
