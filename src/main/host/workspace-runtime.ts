import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { RequestProblem } from '../../api/request-problem.ts'
import type { LiveEvent } from '../../api/schemas/live-event.ts'
import { localDay, timestamp } from '../../core/pacing/schedule.ts'
import { createAcpRunner } from '../agents/acp/acp-runner.ts'
import { createCommandRunner } from '../agents/command-runner.ts'
import { endLeftovers } from '../agents/ended-after-crash.ts'
import { readContractFile } from '../config/contract-file.ts'
import type { RegisteredWorkspace } from '../config/registry.ts'
import { readTrust } from '../config/trust.ts'
import { watchWorkspace } from '../config/watch-workspace.ts'
import { createContentStore } from '../custody/content-store.ts'
import { createCustody } from '../custody/custody.ts'
import { openLedger } from '../ledger/ledger.ts'
import { sealStore } from '../ledger/seal.ts'
import { openTimeline } from '../ledger/timeline-reader.ts'
import { openReportChannel } from '../mcp/report-channel.ts'
import type { Clock } from '../ports/clock.ts'
import type { Contain } from '../ports/containment.ts'
import type { Custody } from '../ports/custody.ts'
import type { Ledger } from '../ports/ledger.ts'
import type { Log } from '../ports/log.ts'
import type { Notifier } from '../ports/notifier.ts'
import type { Operator } from '../ports/operator.ts'
import type { Timeline } from '../ports/timeline.ts'
import type { Tracer } from '../ports/tracer.ts'
import type { AgentConfig, WorkspaceConfig } from '../ports/workspace-config.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { createSnapshotter } from '../snapshot/snapshotter.ts'
import { type ContractTrial, createContractTrial } from '../supervisor/contract-trial.ts'
import { type SweptTask, sweepNow } from '../supervisor/sweep.ts'
import { createWorkspaceLoop, type WorkspaceLoop } from '../supervisor/workspace-loop.ts'
import type { WorkspacePorts } from '../supervisor/workspace-ports.ts'
import { createVerifier } from '../verifier/verifier.ts'
import { logEvents } from './log-events.ts'
import { type ContractJournal, createContractJournal } from './timeline-contract.ts'
import { recordStandings } from './timeline-standing.ts'

/** One workspace under supervision: its ledger, its loop, and where its files are. */
export interface WorkspaceRuntime {
  readonly id: string
  readonly name: string
  readonly directory: string
  readonly dataDirectory: string
  readonly attemptsDirectory: string
  readonly ledger: Ledger
  /** What of the record is not as it was left, a sentence each. */
  readonly brokenRecord: () => readonly string[]
  readonly timeline: Timeline
  readonly contractJournal: ContractJournal
  readonly loop: WorkspaceLoop
  readonly zone: () => string
  /** Verifies the blocked tasks again without an agent; rejects with a `RequestProblem` where that cannot be done. */
  sweep(): Promise<readonly SweptTask[]>
  readonly contractTrial: ContractTrial
  readonly custody: Custody
  /** The operator has written the contract through the app: a running cycle must not take that for the agent's work. */
  operatorWrote(text: string): void
  stop(): Promise<void>
}

export interface RuntimeOptions {
  /** Of Pulseward. */
  readonly version: string
  readonly dataDirectory: string
  readonly clock: Clock
  readonly log: Log
  readonly tracer: Tracer
  readonly notifier: Notifier
  readonly operator: Operator
  /** The script of the server that agents report through; `null`: none. */
  readonly reportServer: string | null
  /** What programs are run in; `null`: in nothing. */
  readonly sandbox: Sandbox | null
  readonly emit: (event: LiveEvent) => void
  readonly withSlot: <T>(work: () => Promise<T>) => Promise<T>
  /** False: heartbeats run only when asked for (`run --once`). */
  readonly scheduled: boolean
  /** Why the data folder is no longer this process's; null while it is. */
  readonly lost?: () => Promise<string | null>
}

/** Opens the ledger of a workspace, ends what a crash left running, and starts its loop. */
export async function openWorkspace(
  workspace: RegisteredWorkspace,
  options: RuntimeOptions,
): Promise<WorkspaceRuntime> {
  const { clock, log } = options
  const dataDirectory = join(options.dataDirectory, 'workspaces', workspace.id)
  const attemptsDirectory = join(dataDirectory, 'attempts')
  // The zone is the approved configuration's and may change while the ledger is open.
  let zone = 'local'
  const approved = await readTrust(workspace.path, dataDirectory)
  const config = approved.kind === 'approved' || approved.kind === 'changed' ? approved.config : null
  zone = config?.heartbeat.timezone ?? 'local'
  let loop: WorkspaceLoop | null = null
  const seals = sealStore(dataDirectory)
  const opened = await openLedger({
    directory: dataDirectory,
    clock,
    log,
    localDay: (ms) => localDay(ms, zone),
    timestamp: (ms) => timestamp(ms, zone),
    rules: config?.scoring,
    ...(options.lost !== undefined && { lost: options.lost }),
    seals,
  })
  notifyOfBrokenRecord(workspace, opened.broken(), options.notifier)
  const recorded = logEvents(opened, workspace.id, log)
  const ledger = recordStandings(recorded, () => (loop?.config == null ? null : loop.standing), log)
  const timeline = await openTimeline({ directory: dataDirectory, head: () => ledger.state.seq, log })
  const contractJournal = createContractJournal({ directory: dataDirectory, ledger, log })
  await endLeftovers(attemptsDirectory, log)
  const store = createContentStore(join(options.dataDirectory, 'content'))
  const custody = createCustody({
    directory: workspace.path,
    dataDirectory,
    store,
    clock,
    log,
    excluded: [options.dataDirectory],
  })
  let operatorContract: { readonly text: string; readonly atMs: number } | null = null
  const ports: WorkspacePorts = {
    id: workspace.id,
    name: workspace.name,
    directory: workspace.path,
    attemptsDirectory,
    clock,
    log,
    tracer: options.tracer,
    ledger,
    snapshotter: createSnapshotter({ log, exclude: [options.dataDirectory] }),
    notifier: options.notifier,
    // Whoever reads the contract finds edits of it too: each is recorded before anything goes by it.
    readContract: async () => {
      const file = await readContractFile(workspace.path)
      if (file.ok) await contractJournal.note(file)
      return file
    },
    operatorContract: () => operatorContract,
    readTrust: async () => {
      const trust = await readTrust(workspace.path, dataDirectory)
      if (trust.kind === 'approved' || trust.kind === 'changed')
        zone = trust.config.heartbeat.timezone ?? 'local'
      return trust
    },
    operator: options.operator,
    openReportChannel: async (subject) =>
      options.reportServer === null
        ? null
        : openReportChannel({ script: options.reportServer, subject, log }),
    createAgent: ({ agent }) => {
      const contained = containedBy(options.sandbox, workspace.path, agent)
      return agent.kind === 'acp'
        ? createAcpRunner(agent, { clock, log, ...contained, version: options.version })
        : createCommandRunner(agent, { clock, log, ...contained })
    },
    createVerifier: (config, room) =>
      createVerifier({
        directory: workspace.path,
        config,
        clock,
        log,
        ...(room && { room }),
        ...containedBy(options.sandbox, workspace.path, config.agent),
      }),
    custody,
    withSlot: options.withSlot,
    emit: options.emit,
    randomSuffix: () =>
      randomInt(36 ** 4)
        .toString(36)
        .padStart(4, '0'),
  }
  loop = createWorkspaceLoop(ports, { scheduled: options.scheduled })
  await loop.start()
  const stopping = new AbortController()
  const stopWatching = options.scheduled
    ? watchWorkspace(workspace.path, () => refreshOnChange(loop, log), log)
    : async (): Promise<void> => {}
  const configInForce = (): WorkspaceConfig => {
    if (loop.config === null) throw new RequestProblem('conflict', loop.next.reason)
    return loop.config
  }
  return {
    id: workspace.id,
    name: workspace.name,
    directory: workspace.path,
    dataDirectory,
    attemptsDirectory,
    ledger,
    brokenRecord: opened.broken.bind(opened),
    timeline,
    contractJournal,
    loop,
    zone: () => zone,
    custody,
    sweep: async () => sweepNow(ports, configInForce(), stopping.signal),
    contractTrial: createContractTrial(ports, configInForce, stopping.signal),
    operatorWrote: (text) => {
      operatorContract = { text, atMs: clock.nowMs() }
    },
    stop: async () => {
      stopping.abort()
      await stopWatching()
      await loop.stop()
      await ledger.close()
    },
  }
}

function notifyOfBrokenRecord(
  { id, name }: RegisteredWorkspace,
  problems: readonly string[],
  notifier: Notifier,
): void {
  const [first] = problems
  if (first === undefined) return
  notifier.notify({
    key: `record:${id}`,
    about: 'trouble',
    workspaceId: id,
    title: `The record of ${name} is not whole`,
    body: `${first}. ${acceptRecord(id)}`,
  })
}

/** What the operator does about a record that is not whole. */
export function acceptRecord(id: string): string {
  return `Look at it with \`pulseward doctor\`; what stands there now counts again after \`pulseward doctor --accept ${id}\`.`
}

function containedBy(
  sandbox: Sandbox | null,
  workspace: string,
  agent: AgentConfig,
): { readonly contain?: Contain } {
  return sandbox === null ? {} : { contain: sandbox.of(workspace, agent) }
}

function refreshOnChange(loop: WorkspaceLoop, log: Log): void {
  loop
    .refresh()
    .catch((error: unknown) => log.error('A changed file could not be taken in', { error: String(error) }))
}
