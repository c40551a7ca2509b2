import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { DateTime } from 'luxon'
import { onTestFinished } from 'vitest'
import type { LiveEvent } from '../../../api/schemas/live-event.ts'
import { createActivityCollector } from '../../../core/activity/collect.ts'
import type { AgentEvent } from '../../../core/activity/types.ts'
import { type DayLimits, NO_LIMITS } from '../../../core/record/budget.ts'
import type { WorkspaceState } from '../../../core/record/state.ts'
import { EMPTY_DIFFERENCE, type FileDifference } from '../../../core/verification/types.ts'
import { parseWorkspaceConfig } from '../../config/parse-config.ts'
import { type AgentsAtWork, createAgentsAtWork } from '../../custody/agents-at-work.ts'
import { createContractCustody, type WorkspaceCustody } from '../../custody/contract-custody.ts'
import { contractReader } from '../../custody/contract-jobs.ts'
import { createTextStore } from '../../custody/text-store.ts'
import { openLedger } from '../../ledger/ledger.ts'
import type { AgentRequest, AgentRun } from '../../ports/agent-runner.ts'
import type { Ledger } from '../../ports/ledger.ts'
import type { Notification } from '../../ports/notifier.ts'
import type { TrustState, WorkspaceConfig } from '../../ports/workspace-config.ts'
import { noTracer } from '../../telemetry/no-tracer.ts'
import { createSimulatedClock, type SimulatedClock } from '../../testing/simulated-clock.ts'
import { createParkingLot } from '../loop/parking-lot.ts'
import { createSpending } from '../run/spending.ts'
import type { WorkspacePorts } from '../workspace-ports.ts'

/** What a scripted agent does in one run: what it prints and changes, or how it ends. */
export interface ScriptedRun {
  readonly stdout?: string
  readonly difference?: Partial<FileDifference>
  readonly run?: Partial<AgentRun>
  /** The events that its program reports while it runs, in order. */
  readonly events?: Iterable<AgentEvent>
  /** Resolves when the run may end; if omitted, it ends at once. */
  readonly until?: Promise<unknown>
}

/** What a probe reads: always the same value, or what the function returns at each reading. */
type ScriptedProbe = number | (() => number)

export interface SupervisedWorkspace {
  readonly ports: WorkspacePorts
  readonly contractCustody: WorkspaceCustody
  readonly clock: SimulatedClock
  readonly ledger: Ledger
  readonly prompts: string[]
  /** Resolves once the agent has been started for the first time. */
  readonly agentStarted: Promise<void>
  readonly events: LiveEvent[]
  readonly notifications: Notification[]
  contract: string
  probes: Record<string, ScriptedProbe>
  isOnBattery: boolean
}

const ZONE = 'Europe/Berlin'

/**
 * A workspace with a real ledger in a temporary folder, stopped time, and an agent whose runs are scripted: the n-th run uses the n-th
 * script, further runs the last one.
 */
export async function supervise(options: {
  readonly contract: string
  readonly runs: readonly ScriptedRun[]
  /** Used instead of `runs`: returns what the agent does when it is started. */
  readonly script?: () => ScriptedRun
  readonly toml?: string
  readonly probes?: Record<string, ScriptedProbe>
  readonly start?: string
  readonly directory?: string
  /** A workspace to share time and accounts with. */
  readonly beside?: SupervisedWorkspace
  /** Daily limits for all workspaces. */
  readonly limits?: Partial<DayLimits>
  /** The states of other workspaces. */
  readonly others?: () => readonly (readonly [string, WorkspaceState])[]
  /** The agents running in other workspaces. */
  readonly agentsAtWork?: AgentsAtWork
  /** The agent has sessions: a follow-up uses the next script. */
  readonly sessions?: boolean
}): Promise<SupervisedWorkspace> {
  const directory = options.directory ?? (await temporaryFolder())
  const clock =
    options.beside?.clock ??
    createSimulatedClock(DateTime.fromISO(options.start ?? '2026-11-20T10:00', { zone: ZONE }).toMillis())
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const ledger = await openLedger({
    directory,
    clock,
    log,
    localDay: (ms) => DateTime.fromMillis(ms, { zone: ZONE }).toFormat('yyyy-MM-dd'),
    timestamp: (ms) => DateTime.fromMillis(ms, { zone: ZONE }).toISO() ?? '',
  })
  onTestFinished(() => ledger.close())
  const config = parseConfig(options.toml ?? '')
  let signalStarted = (): void => {}
  const workspace = {
    agentStarted: new Promise<void>((resolve) => {
      signalStarted = resolve
    }),
    contract: options.contract,
    probes: { ...options.probes },
    clock,
    ledger,
    prompts: [] as string[],
    events: [] as LiveEvent[],
    notifications: [] as Notification[],
    isOnBattery: false,
  }
  const read = (name: string): number => {
    const probe = workspace.probes[name] ?? 0
    return typeof probe === 'number' ? probe : probe()
  }
  let runs = 0
  let difference: FileDifference = EMPTY_DIFFERENCE
  const agentRun = async (request: AgentRequest): Promise<AgentRun> => {
    const script = options.script?.() ?? options.runs[Math.min(runs, options.runs.length - 1)] ?? {}
    runs++
    workspace.prompts.push(request.prompt)
    signalStarted()
    const told = createActivityCollector()
    for (const event of request.signal.aborted ? [] : (script.events ?? [])) {
      told.add(event)
      request.onEvent?.(event)
      if (request.signal.aborted) break
    }
    const cancelled = new Promise<'cancelled'>((resolve) => {
      if (request.signal.aborted) resolve('cancelled')
      request.signal.addEventListener('abort', () => resolve('cancelled'), { once: true })
    })
    const ending = await Promise.race([script.until ?? Promise.resolve('ended'), cancelled])
    difference = { ...EMPTY_DIFFERENCE, ...script.difference }
    const activity = script.events === undefined ? {} : { activity: told.activity() }
    return {
      ...endedWell(script.stdout ?? ''),
      ...activity,
      ...script.run,
      ...(ending === 'cancelled' ? CANCELLED : {}),
    }
  }
  const notifier = { notify: (notification: Notification) => void workspace.notifications.push(notification) }
  const contractCustody = createContractCustody({
    workspaceId: 'w',
    workspaceName: 'w',
    directory,
    ledger,
    log,
    notifier,
    store: createTextStore(join(directory, 'custody')),
    agentsAtWork: options.agentsAtWork ?? createAgentsAtWork(),
    contracts: contractReader,
    leftBehind: async () => null,
    newId: () => randomUUID(),
    readContract: async () => ({ bytes: Buffer.from(workspace.contract) }),
    writeContract: async (bytes) => {
      workspace.contract = bytes.toString()
    },
    formerContract: async () => null,
    readConfiguration: async () => null,
    writeConfiguration: async () => {},
    approveConfiguration: async () => {},
    settingsOf: () => null,
  })
  const ports: WorkspacePorts = {
    id: options.beside === undefined ? 'w' : basename(directory),
    name: 'w',
    directory,
    attemptsDirectory: join(directory, 'attempts'),
    clock,
    log,
    tracer: noTracer,
    ledger,
    snapshotter: {
      expectLook: async () => {},
      take: async () => ({ kind: 'walk' }),
      difference: async () => difference,
      takeProtected: async () => ({ isProtected: () => false }),
      protectedChanges: async () => [],
      keepTexts: async (snapshot) => ({ snapshot }),
      patch: async () => '',
      filesBefore: async () => null,
      unsaved: async () => [],
      committed: async () => new Map(),
      uncommitted: async () => [],
      unchanged: async () => [],
      measurable: async (_directory, paths) => paths.map(() => true as const),
      endingIn: async () => new Map(),
      treeNow: async () => null,
      done: async () => {},
    },
    notifier,
    readContract: () => contractCustody.inForce(),
    contractCustody,
    contracts: contractReader,
    refreshTrust: async (): Promise<TrustState> => ({ kind: 'approved', config }),
    operator: { ask: async () => 'unattended' },
    openReportChannel: async () => null,
    createAgent: () =>
      options.sessions === true ? { run: agentRun, followUp: agentRun } : { run: agentRun },
    createVerifier: () => ({
      readProbes: async (names) =>
        names.map((name) =>
          name in config.probes || name in workspace.probes
            ? { kind: 'value' as const, name, value: read(name) }
            : { kind: 'unreadable' as const, name, reason: `there is no probe ${name}`, configured: false },
        ),
      evaluate: async (hint, _readings, changed) => ({
        kind: 'value',
        holds:
          hint.probes.every((name) => read(name) > 0) &&
          (!hint.functions.includes('changed') || changed.some((path) => !path.endsWith('.draft'))),
      }),
      runGates: async () => [],
      canReport: async () => false,
      judge: async () => null,
    }),
    custody: NO_CUSTODY,
    undo: NO_UNDO,
    reachOfAgent: async () => 'everywhere',
    parking: options.beside?.ports.parking ?? createParkingLot(clock),
    spending:
      options.beside?.ports.spending ??
      createSpending({
        states: () => [['w', ledger.state] as const, ...(options.others?.() ?? [])],
        limits: () => ({ ...NO_LIMITS, ...options.limits }),
        prices: () => ({}),
      }),
    power: { onBattery: () => workspace.isOnBattery },
    withSlot: (work) => work(),
    emit: (event) => workspace.events.push(event),
    randomSuffix: () => 'test',
  }
  return Object.assign(workspace, { ports, contractCustody })
}

/** Undo for a workspace whose checks execute nothing. */
const NO_UNDO: WorkspacePorts['undo'] = {
  keepBefore: async () => ({ keptAtMs: 0 }),
  record: async () => undefined,
  look: async () => null,
  filesBefore: async () => null,
  undo: async () => null,
  redo: async () => null,
}

const NO_CUSTODY: WorkspacePorts['custody'] = {
  begin: async () => ({ moved: [], unapproved: [], elsewhere: [], isFirst: false }),
  agentStarts: async () => {},
  look: async () => [],
  lookAfterAgent: async () => [],
  settle: async () => {},
  programPath: () => null,
  dependencies: async () => [],
  outside: async () => [],
  outsideNow: async () => '',
  noteReaching: async () => {},
  reaching: async () => [],
  scriptsOf: () => [],
  sees: () => null,
  baselineContent: async () => null,
  openRoom: async () => ({ kind: 'none', reason: 'nothing differs' }),
  openJudgeRoom: async () => null,
  reports: async () => new Map(),
  keepReports: async () => {},
  knownTests: async () => new Map(),
  isTouched: async () => false,
  sawTests: async () => {},
  judgedTests: async () => {},
  approve: async () => [],
  accept: async () => [],
  putBack: async () => ({ restored: [], failed: [] }),
  undoAnswer: async () => ({ restored: [], failed: [] }),
  leftNow: () => [],
  leftAgain: async () => {},
  describe: async () => [],
}

async function temporaryFolder(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'pulseward-supervisor-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}

function parseConfig(toml: string): WorkspaceConfig {
  const heartbeat = toml.includes('[heartbeat]') ? '' : `[heartbeat]\ntimezone = "${ZONE}"\n`
  const agent = toml.includes('[agent]') ? '' : '[agent]\ncommand = ["agent"]\n'
  const parsed = parseWorkspaceConfig(`${agent}${heartbeat}${toml}`)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  return parsed.config
}

function endedWell(stdout: string): AgentRun {
  return {
    outcome: 'completed',
    exitCode: 0,
    signal: null,
    durationMs: 1000,
    reason: 'The agent exited with 0.',
    remedy: null,
    stdout: { text: stdout, omittedBytes: 0 },
    stderr: { text: '', omittedBytes: 0 },
  }
}

const CANCELLED: Partial<AgentRun> = {
  outcome: 'cancelled',
  exitCode: null,
  signal: 'SIGTERM',
  reason: 'Pulseward stopped.',
}

/** Returns what an agent prints to report one task. */
export function report(taskId: string, claim: Record<string, unknown> = { status: 'done' }): string {
  return `\`\`\`heartbeat-report\n${JSON.stringify({ task_id: taskId, ...claim })}\n\`\`\`\n`
}
