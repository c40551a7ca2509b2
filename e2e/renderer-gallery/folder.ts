import { DEFAULT_ADAPTIVE_TIMEOUT } from '../../src/core/configuration/adaptive-timeout.ts'
import { parseContract, runnableTasks } from '../../src/core/contract/parse.ts'
import type { Contract } from '../../src/core/contract/types.ts'
import { agentLine } from '../../src/core/read-model/agent.ts'
import { contractView } from '../../src/core/read-model/contract-document.ts'
import type { PermissionRequest } from '../../src/core/read-model/permission.ts'
import { taskView } from '../../src/core/read-model/task.ts'
import type { Trust } from '../../src/core/read-model/trust.ts'
import {
  type WorkspaceDetail,
  type WorkspaceFacts,
  workspaceDetailView,
} from '../../src/core/read-model/workspace.ts'
import type { EventBody, RecordedEvent } from '../../src/core/record/events.ts'
import { applyEvent, fold } from '../../src/core/record/fold.ts'
import { planNextTimeout } from '../../src/core/record/next-timeout.ts'
import { recordedTask } from '../../src/core/record/recorded-task.ts'
import type { WorkspaceState } from '../../src/core/record/state.ts'
import { timelineEntries } from '../../src/core/record/timeline.ts'
import type { TimelineEntry } from '../../src/core/record/timeline-entry.ts'
import { resolveStanding } from '../../src/core/scoring/standing.ts'
import { describeConfigText } from '../../src/main/config/describe.ts'
import { parseWorkspaceConfig } from '../../src/main/config/parse-config.ts'
import { marksOf } from '../../src/main/host/marks.ts'
import type { WorkspaceConfig } from '../../src/main/ports/workspace-config.ts'
import { iso, type Moment, recordedMoments } from './past.ts'

/** What a scenario says about a workspace; everything else that is shown follows from Pulseward's own rules. */
export interface Seed {
  readonly name: string
  readonly path?: string
  readonly contract?: string
  /** The text of `pulseward.toml`; `null` if there is no such file. */
  readonly configuration?: string | null
  /** The approved text. Omitted: all is approved; `null`: nothing ever was. */
  readonly approved?: string | null
  readonly past?: readonly Moment[]
}

export const CONFIGURATION = `[agent]
id = "claude"
command = ["claude", "-p", "--permission-mode", "acceptEdits"]

[probes.email_count]
command = ["./count-mail"]
parse = "number"

[gates]
commands = [["npm", "test"]]
`

/** An in-memory workspace: its events, folded, and the views of their state. Requests are recorded, as a host does. */
export class Folder {
  readonly name: string
  readonly path: string
  /** The agents' requests; set from outside. */
  permissions: readonly PermissionRequest[] = []
  readonly ledger: {
    state: WorkspaceState
    append(...bodies: readonly EventBody[]): Promise<RecordedEvent[]>
  }
  readonly #events: RecordedEvent[]
  #contract: { readonly text: string; readonly parsed: Contract }
  readonly #configuration: string | null
  #approved: string | null

  constructor(
    {
      name,
      path = `~/src/${name}`,
      contract = '',
      configuration = CONFIGURATION,
      approved = configuration,
      past = [],
    }: Seed,
    nowMs: number,
  ) {
    this.name = name
    this.path = path
    this.#configuration = configuration
    this.#approved = approved
    this.#contract = { text: '', parsed: parseContract('') }
    this.contractText = contract === '' ? `# ${name}\n\n## Tasks\n` : contract
    const tasks = runnableTasks(this.#contract.parsed).map((task) => recordedTask(task, false))
    this.#events = recordedMoments(
      [
        [60 * 24 * 40, { type: 'contract-read', hash: 'h', tasks, editRecorded: true }],
        ...past,
        [0, { type: 'supervisor-started', version: '0.1.0', pid: 1 }],
      ],
      nowMs,
    )
    this.ledger = {
      state: fold(this.#events),
      append: async (...bodies) => bodies.map((body) => this.#record(body)),
    }
  }

  get id(): string {
    return this.name
  }

  get contractText(): string {
    return this.#contract.text
  }

  set contractText(text: string) {
    this.#contract = {
      text,
      parsed: parseContract(text, { probeNames: Object.keys(this.loop.config?.probes ?? {}) }),
    }
  }

  /** The part of a host's loop that callers use. */
  get loop(): { readonly config: WorkspaceConfig | null } {
    const reading = this.#approved === null ? null : parseWorkspaceConfig(this.#approved)
    return { config: reading?.ok === true ? reading.config : null }
  }

  get trust(): Trust {
    const text = this.#configuration
    const none = {
      commands: [],
      hash: null,
      text: null,
      approvedText: null,
      problems: [],
      checks: [],
      reason: null,
    }
    if (text === null) return { ...none, state: 'missing', reason: 'It has no pulseward.toml yet.' }
    if (text === this.#approved) return { ...none, state: 'approved' }
    const reading = parseWorkspaceConfig(text)
    return {
      ...none,
      state: this.#approved === null ? 'unapproved' : 'changed',
      commands: describeConfigText(text, this.#approved),
      hash: 'h',
      text,
      approvedText: this.#approved,
      problems: reading.ok ? [] : [...reading.problems],
    }
  }

  approve(): void {
    this.#approved = this.#configuration
  }

  contract() {
    const { text, parsed } = this.#contract
    const probes = Object.keys(this.loop.config?.probes ?? {}).map((name) => ({
      name,
      source: './count-mail',
      parse: 'number' as const,
    }))
    return {
      ...contractView(parsed),
      path: 'HEARTBEAT.md',
      text,
      hash: text,
      lossy: false,
      probes,
      approvedCommands: [],
    }
  }

  view(): WorkspaceDetail {
    const { state } = this.ledger
    const rules = this.loop.config?.adaptiveTimeout ?? DEFAULT_ADAPTIVE_TIMEOUT
    const tasks = runnableTasks(this.#contract.parsed).map((task) =>
      taskView(task, state, planNextTimeout(task, state, rules)),
    )
    const { diagnostics } = contractView(this.#contract.parsed)
    return workspaceDetailView(state, this.#facts(), {
      tasks,
      diagnostics,
      trustDetail: this.trust,
      agent: agentLine(state, this.loop.config),
      marks: marksOf(this, this.contractText),
    })
  }

  /** Newest first. */
  timeline(): TimelineEntry[] {
    return this.#events.flatMap(timelineEntries).reverse()
  }

  attempt(id: string) {
    const found = this.#events.findLast(
      (event) => event.type === 'attempt-finished' && event.result.attemptId === id,
    )
    return found?.type === 'attempt-finished' ? found.result : null
  }

  #facts(): WorkspaceFacts {
    const { state } = this.ledger
    const standing = resolveStanding(state.score, state.rules, 15)
    return {
      id: this.id,
      name: this.name,
      path: this.path,
      agentId: this.loop.config?.agent.id ?? null,
      trust: this.trust.state,
      standing,
      next: this.#next(standing.intervalReason),
      zone: 'UTC',
      permissions: this.permissions,
      notices: [],
    }
  }

  #next(reason: string): WorkspaceFacts['next'] {
    const { running, suspended } = this.ledger.state
    if (running !== null) return { dueMs: null, state: 'running', reason: 'A heartbeat is running.' }
    if (suspended !== null)
      return { dueMs: null, state: 'none', reason: `Suspended for manual review: ${suspended.reason}.` }
    if (this.loop.config === null)
      return { dueMs: null, state: 'none', reason: 'Nothing runs before its commands are approved.' }
    return { dueMs: Date.now() + 6 * 60_000, state: 'waiting', reason }
  }

  #record(body: EventBody): RecordedEvent {
    const { state } = this.ledger
    const at = iso(Date.now())
    const event = { ...body, seq: state.seq + 1, at, day: state.day ?? at.slice(0, 10) }
    this.#events.push(event)
    this.ledger.state = applyEvent(state, event)
    return event
  }
}
