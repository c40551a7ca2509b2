import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { RequestProblem } from '../../api/request-problem.ts'
import type { LiveEvent } from '../../api/schemas/live-event.ts'
import { localDay, timestamp } from '../../core/pacing/schedule.ts'
import type { PermissionRequest } from '../../core/read-model/permission.ts'
import { createAcpRunner } from '../agents/acp/acp-runner.ts'
import { createCommandRunner } from '../agents/command-runner.ts'
import { markAsked } from '../authority/request-origin.ts'
import { settingTexts } from '../config/configuration-file.ts'
import { readContractFile } from '../config/contract-file.ts'
import type { RegisteredWorkspace } from '../config/registry.ts'
import { approve, readTrust } from '../config/trust.ts'
import { watchWorkspace } from '../config/watch-workspace.ts'
import type { AgentsAtWork } from '../custody/agents-at-work.ts'
import { createContentStore } from '../custody/content-store.ts'
import type { WorkspaceCustody } from '../custody/contract-custody.ts'
import { createCustody } from '../custody/custody.ts'
import { openContractCustody } from '../custody/open-custody.ts'
import { openLedger } from '../ledger/ledger.ts'
import { sealStore } from '../ledger/seal.ts'
import { openTimeline } from '../ledger/timeline-reader.ts'
import { openReportChannel } from '../mcp/report-channel.ts'
import type { HeartbeatSign } from '../ports/channels.ts'
import type { Clock } from '../ports/clock.ts'
import type { Contain } from '../ports/containment.ts'
import type { Custody } from '../ports/custody.ts'
import type { Ledger } from '../ports/ledger.ts'
import type { Log } from '../ports/log.ts'
import type { Notifier } from '../ports/notifier.ts'
import type { Parking } from '../ports/parking.ts'
import type { WithSlot } from '../ports/slots.ts'
import type { Timeline } from '../ports/timeline.ts'
import type { Tracer } from '../ports/tracer.ts'
import type { AgentConfig, WorkspaceConfig } from '../ports/workspace-config.ts'
import { machineBoot } from '../process/process-identity.ts'
import { endLeftovers } from '../process/running-note.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { createSnapshotter } from '../snapshot/snapshotter.ts'
import { type ContractTrial, createContractTrial } from '../supervisor/contract-trial.ts'
import { type SweptTask, sweepNow } from '../supervisor/sweep.ts'
import { approveBase } from '../supervisor/take-base.ts'
import { createWorkspaceLoop, type WorkspaceLoop } from '../supervisor/workspace-loop.ts'
import type { WorkspacePorts } from '../supervisor/workspace-ports.ts'
import { createVerifier } from '../verifier/verifier.ts'
import { logEvents } from './log-events.ts'
import type { PermissionDesk } from './permissions.ts'
import { tellElsewhere } from './tell-elsewhere.ts'
import { recordStandings } from './timeline-standing.ts'

/** One workspace under supervision: its ledger, its loop, and where its files are. */
export interface WorkspaceRuntime {
  readonly id: string
  readonly name: string
  /** ISO 8601. */
  readonly addedAt: string
  readonly directory: string
  readonly dataDirectory: string
  readonly attemptsDirectory: string
  readonly ledger: Ledger
  /** What of the record is not as it was left, a sentence each. */
  readonly brokenRecord: () => readonly string[]
  /** What was found of it by looking at all of it: recorded and told. */
  foundBroken(problems: readonly string[]): Promise<void>
  /** The operator takes the record as it stands. */
  acceptRecord(): Promise<void>
  readonly timeline: Timeline
  readonly contractCustody: WorkspaceCustody
  readonly loop: WorkspaceLoop
  readonly zone: () => string
  /** What its agents wait for. */
  readonly permissions: () => readonly PermissionRequest[]
  /** Verifies the blocked tasks again without an agent; rejects with a `RequestProblem` where that cannot be done. */
  sweep(): Promise<readonly SweptTask[]>
  readonly contractTrial: ContractTrial
  readonly custody: Custody
  /** What checks execute counts as it stands; nothing is asked where a heartbeat runs, whose agent may have changed it. */
  approveChecks(): Promise<void>
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
  readonly operator: Pick<PermissionDesk, 'ask' | 'waiting'>
  readonly agentsAtWork: AgentsAtWork
  /** What of earlier runs of this data folder's is still alive, in words; `null`: nothing. */
  readonly leftBehind: () => Promise<string | null>
  /** The script of the server that agents report through; `null`: none. */
  readonly reportServer: string | null
  /** What programs are run in; `null`: in nothing. */
  readonly sandbox: Sandbox | null
  readonly emit: (event: LiveEvent) => void
  readonly parking: Parking
  /** Told of each heartbeat once it is recorded; left out: nobody. */
  readonly onHeartbeat?: (sign: HeartbeatSign) => void
  /** Told of each day of a workspace that has ended. */
  readonly onDayEnded?: (workspace: string) => void
  readonly withSlot: WithSlot
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
    ...(options.lost !== undefined && { lost: options.lost }),
    seals,
  })
  const logged = logEvents(opened, workspace.id, log)
  const recorded = markAsked(
    tellElsewhere(logged, workspace.id, {
      heartbeat: (sign) => options.onHeartbeat?.(sign),
      dayEnded: () => options.onDayEnded?.(workspace.id),
    }),
  )
  const ledger = recordStandings(recorded, () => (loop?.config == null ? null : loop.standing), log)
  const foundBroken = (problems: readonly string[]): Promise<void> =>
    tellBrokenRecord(workspace, problems, ledger, options)
  await foundBroken(opened.broken())
  const timeline = await openTimeline({ directory: dataDirectory, head: () => ledger.state.seq, log })
  const left = await endLeftovers(attemptsDirectory, log)
  const boot = machineBoot()
  // The notes of what ran can be deleted by whom they are about.
  const diedAlone = left.diedAlone || (boot !== null && opened.state.running?.attempt?.boot === boot)
  const store = createContentStore(join(options.dataDirectory, 'content'))
  const custody = createCustody({
    directory: workspace.path,
    dataDirectory,
    store,
    clock,
    log,
    excluded: [options.dataDirectory],
  })
  const contractCustody = openContractCustody({
    workspaceId: workspace.id,
    workspaceName: workspace.name,
    directory: workspace.path,
    dataDirectory,
    ledger,
    log,
    notifier: options.notifier,
    agentsAtWork: options.agentsAtWork,
    leftBehind: options.leftBehind,
    whyUnreadable: async () => {
      const file = await readContractFile(workspace.path)
      return file.ok ? 'HEARTBEAT.md changed while it was read. Try again.' : file.reason
    },
    approveConfiguration: async (hash) => {
      await approve(workspace.path, dataDirectory, hash)
      await ledger.append({ type: 'configuration-approved', hash })
    },
    settingsOf: settingTexts,
  })
  const approvedHash = (): string | null => ledger.state.custody['pulseward.toml']?.base ?? null
  // Before an attempt that was cut off is closed: what changed since it began is that agent's.
  await contractCustody
    .look()
    .catch((error: unknown) =>
      log.error('A contract could not be looked at', { workspace: workspace.id, error: String(error) }),
    )
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
    readContract: () => contractCustody.inForce(),
    contractCustody,
    readTrust: async () => {
      // Whose the change is comes first: it decides what is asked of the operator.
      await contractCustody.look()
      const trust = await readTrust(workspace.path, dataDirectory, approvedHash())
      if (trust.kind === 'unapproved' && trust.isCopyLost === true) await tellLostApproval(ledger)
      if (trust.kind === 'approved' || trust.kind === 'changed')
        zone = trust.config.heartbeat.timezone ?? 'local'
      return trust
    },
    operator: options.operator,
    openReportChannel: async (subject) =>
      options.reportServer === null
        ? null
        : openReportChannel({ script: options.reportServer, subject, log }),
    reachOfAgent: async ({ agent }) =>
      (await options.sandbox?.writableBy(workspace.path, agent)) ?? 'everywhere',
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
        notes: attemptsDirectory,
        ...(room && { room }),
        resolveProgram: (program) => custody.programPath(program),
        ...containedBy(options.sandbox, workspace.path, config.agent),
      }),
    custody,
    diedAlone,
    boot,
    parking: options.parking,
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
    ? watchWorkspace(workspace.path, () => refreshOnChange(loop, contractCustody, log), log)
    : async (): Promise<void> => {}
  const configInForce = (): WorkspaceConfig => {
    if (loop.config === null) throw new RequestProblem('conflict', loop.next.reason)
    return loop.config
  }
  return {
    id: workspace.id,
    name: workspace.name,
    addedAt: workspace.addedAt,
    directory: workspace.path,
    dataDirectory,
    attemptsDirectory,
    ledger,
    brokenRecord: opened.broken.bind(opened),
    foundBroken,
    acceptRecord: async () => {
      const problems = [...opened.broken()]
      await opened.accept()
      await ledger.append({ type: 'record-accepted', problems })
    },
    timeline,
    contractCustody,
    loop,
    zone: () => zone,
    custody,
    approveChecks: async () => {
      if (loop.config !== null && ledger.state.running === null) await approveBase(ports, loop.config)
    },
    permissions: () => options.operator.waiting(workspace.id),
    sweep: async () => sweepNow(ports, configInForce(), stopping.signal),
    contractTrial: createContractTrial(ports, configInForce, stopping.signal),
    stop: async () => {
      stopping.abort()
      await stopWatching()
      await loop.stop()
      contractCustody.close()
      await ledger.close()
    },
  }
}

/** Written into the record itself: whoever takes the seal away afterwards does not take away what was found. */
async function tellBrokenRecord(
  { id, name }: RegisteredWorkspace,
  problems: readonly string[],
  ledger: Ledger,
  { notifier, log }: Pick<RuntimeOptions, 'notifier' | 'log'>,
): Promise<void> {
  const [first] = problems
  if (first === undefined) return
  const message = `The record is not whole: ${problems.slice(0, 10).join('; ')}. ${acceptRecord(id)}`
  if (!ledger.state.notices.some((notice) => notice.code === 'record-broken'))
    await ledger
      .append({ type: 'diagnostic-raised', code: 'record-broken', taskId: null, message })
      .catch((error: unknown) =>
        log.error('What is wrong with the record could not be recorded', { error: String(error) }),
      )
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

/** Once, until the configuration is approved anew. */
async function tellLostApproval(ledger: Ledger): Promise<void> {
  if (ledger.state.notices.some(({ code }) => code === 'approval-lost')) return
  await ledger.append({
    type: 'diagnostic-raised',
    code: 'approval-lost',
    taskId: null,
    message:
      'The approved copy of pulseward.toml in the data folder is gone or is not what you approved, so nothing runs. Look at the configuration and approve it again.',
  })
}

function refreshOnChange(loop: WorkspaceLoop, contractCustody: WorkspaceCustody, log: Log): void {
  // Looked at before the configuration is: whose the change is decides what is asked of the operator.
  contractCustody
    .look()
    .then(() => loop.refresh())
    .catch((error: unknown) => log.error('A changed file could not be taken in', { error: String(error) }))
}
