import { RequestProblem } from '../../api/request-problem.ts'
import { localDay, timestamp } from '../../core/pacing/schedule.ts'
import { clockNotice } from '../../core/read-model/clock-notice.ts'
import type { Notice } from '../../core/read-model/notice.ts'
import type { PermissionRequest } from '../../core/read-model/permission.ts'
import type { LandingEntry } from '../../core/record/state.ts'
import type { LandingAnswer } from '../../core/vocabulary/landing.ts'
import { markAsked } from '../authority/request-origin.ts'
import type { RegisteredWorkspace } from '../config/registry.ts'
import { watchWorkspace } from '../config/watch-workspace.ts'
import type { WorkspaceCustody } from '../custody/contract-custody.ts'
import type { LandingQueue } from '../landing/queue.ts'
import { openLedger } from '../ledger/ledger.ts'
import { sealStore } from '../ledger/seal.ts'
import { openTimeline } from '../ledger/timeline-reader.ts'
import type { AttemptUndo } from '../ports/attempt-undo.ts'
import type { ContractReader } from '../ports/contract-reader.ts'
import type { Custody } from '../ports/custody.ts'
import { type Ledger, withSteps } from '../ports/ledger.ts'
import type { Log } from '../ports/log.ts'
import type { Snapshotter } from '../ports/snapshotter.ts'
import type { Timeline } from '../ports/timeline.ts'
import { NOT_SHARED } from '../ports/work-lease.ts'
import type { WorkspaceConfig } from '../ports/workspace-config.ts'
import { approveBase } from '../supervisor/judging/take-base.ts'
import { type SweptTask, sweepNow } from '../supervisor/loop/sweep.ts'
import { createWorkspaceLoop, type WorkspaceLoop } from '../supervisor/loop/workspace-loop.ts'
import { type ContractTrial, createContractTrial } from '../supervisor/run/contract-trial.ts'
import { stepBreaker } from '../supervisor/run/reinforce.ts'
import { attestVerdicts } from './attest-verdicts.ts'
import { logEvents } from './log-events.ts'
import { markEpoch } from './mark-epoch.ts'
import { notifyElsewhere } from './notify-elsewhere.ts'
import { notifyLockdowns } from './notify-lockdown.ts'
import { type OpenPorts, openPorts, placeOf, type WorkspacePlace } from './open-ports.ts'
import { recordTrees } from './record-trees.ts'
import type { RuntimeOptions } from './runtime-options.ts'
import { recordStandings } from './timeline-standing.ts'

/** A supervised workspace: its ledger, its loop, and where its files are. */
export interface WorkspaceRuntime {
  readonly id: string
  readonly name: string
  readonly tags: readonly string[]
  /** ISO 8601. */
  readonly addedAt: string
  readonly directory: string
  readonly dataDirectory: string
  /** Changes its name and tags. */
  label(label: Pick<RegisteredWorkspace, 'name' | 'tags'>): void
  readonly attemptsDirectory: string
  readonly ledger: Ledger
  /** Returns how the record differs from how it was left, one sentence each. */
  readonly brokenRecord: () => readonly string[]
  /** Records and notifies what a complete check of the record has found. */
  foundBroken(problems: readonly string[]): Promise<void>
  /** Accepts the record in its current state, as the operator asked. */
  acceptRecord(): Promise<void>
  readonly timeline: Timeline
  readonly contractCustody: WorkspaceCustody
  readonly loop: WorkspaceLoop
  readonly zone: () => string
  /** Returns why its record is no longer sent to the fleet. */
  readonly fleetNotices: () => readonly Notice[]
  /** Returns the permission requests that its agents wait for. */
  readonly permissions: () => readonly PermissionRequest[]
  /** Checks the blocked tasks again without an agent; rejects with a `RequestProblem` if that cannot be done. */
  sweep(): Promise<readonly SweptTask[]>
  readonly contractTrial: ContractTrial
  /** Reads contract text that an agent may have written. */
  readonly contracts: ContractReader
  readonly custody: Custody
  readonly undo: AttemptUndo
  /** Landing of isolated attempts' work. */
  readonly landing: Pick<LandingQueue, 'patch'> & {
    answer(attemptId: string, answer: LandingAnswer): Promise<LandingEntry>
  }
  /** Keeps the branch that is checked out now as the default target of landing, unless one is kept already. */
  keepTarget(): Promise<void>
  /** Continues processing the queue, without waiting for it. */
  landSoon(): void
  /** Accepts the current check files; does nothing while a heartbeat runs, because its agent may have changed them. */
  approveChecks(): Promise<void>
  /** Updates the agent's circuit breaker after a review; a running heartbeat does that itself. */
  stepBreaker(): Promise<void>
  stop(): Promise<void>
}

/** Opens the ledger of a workspace, ends what a crash left running, and starts its loop. */
export async function openWorkspace(
  workspace: RegisteredWorkspace,
  options: RuntimeOptions,
): Promise<WorkspaceRuntime> {
  const { clock, log } = options
  const place = await placeOf(workspace, options.dataDirectory)
  const { dataDirectory, approved } = place
  let loop: WorkspaceLoop | null = null
  const seals = sealStore(dataDirectory)
  const opened = await openLedger({
    directory: dataDirectory,
    clock,
    log,
    localDay: (ms) => localDay(ms, approved.zone),
    timestamp: (ms) => timestamp(ms, approved.zone),
    ...(options.lost !== undefined && { lost: options.lost }),
    seals,
  })
  // What a crash left is recorded before a snapshotter exists.
  let snapshotter: Snapshotter | null = null
  const lease = options.leaseOf?.(workspace.id) ?? NOT_SHARED
  const attester = attestVerdicts(
    { id: workspace.id, name: workspace.name, directory: workspace.path, dataDirectory, ledger: opened },
    options,
    () => loop?.config?.landing.attest === true,
  )
  const ledger = withSteps(opened, (recording) => [
    markAsked(opened),
    markEpoch(lease),
    recordTrees(async (hasRun) => (await snapshotter?.treeNow(workspace.path, hasRun)) ?? null),
    logEvents(workspace.id, log),
    notifyElsewhere(opened, workspace.id, (sign) => options.onHeartbeat?.(sign)),
    notifyLockdowns(opened, workspace, options.notifier),
    recordStandings(recording, () => (loop?.config == null ? null : loop.standing), log),
    attester,
  ])
  const foundBroken = (problems: readonly string[]): Promise<void> =>
    reportBrokenRecord(workspace, problems, ledger, options)
  await foundBroken(opened.broken())
  notifyOfWrongClock(workspace, ledger, localDay(clock.nowMs(), approved.zone), options)
  const timeline = await openTimeline({
    directory: dataDirectory,
    head: () => ledger.state.seq,
    log,
    ...(options.threads && { threads: options.threads }),
  })
  const ports = await openPorts(place, ledger, lease, options)
  snapshotter = ports.snapshotter
  loop = createWorkspaceLoop(ports, { scheduled: options.scheduled })
  await loop.start()
  const record = {
    ledger,
    timeline,
    attested: attester.settled,
    brokenRecord: opened.broken.bind(opened),
    foundBroken,
    acceptRecord: async () => {
      const problems = [...opened.broken()]
      await opened.accept()
      await ledger.append({ type: 'record-accepted', problems })
    },
  }
  return runtimeOf(place, ports, loop, record, options)
}

/** Builds the host's view of the workspace, with the loop that runs it, and starts watching its files. */
function runtimeOf(
  { workspace, dataDirectory, approved }: WorkspacePlace,
  ports: OpenPorts,
  loop: WorkspaceLoop,
  {
    attested,
    ...record
  }: Pick<WorkspaceRuntime, 'ledger' | 'timeline' | 'brokenRecord' | 'foundBroken' | 'acceptRecord'> & {
    readonly attested: () => Promise<void>
  },
  options: RuntimeOptions,
): WorkspaceRuntime {
  const { contractCustody, attemptsDirectory, log } = ports
  const stopping = new AbortController()
  const recovered = ports.isolation.recover(() => loop.config, stopping.signal, options.scheduled)
  const stopWatching = options.scheduled
    ? watchWorkspace(workspace.path, () => refreshOnChange(loop, contractCustody, log), log)
    : async (): Promise<void> => {}
  const configInForce = (): WorkspaceConfig => {
    if (loop.config === null) throw new RequestProblem('conflict', loop.next.reason)
    return loop.config
  }
  return {
    id: workspace.id,
    get name() {
      return workspace.name
    },
    get tags() {
      return workspace.tags ?? []
    },
    // Everything that uses the workspace reads its name from this one object.
    label: (label) => void Object.assign(workspace, label),
    addedAt: workspace.addedAt,
    directory: workspace.path,
    dataDirectory,
    attemptsDirectory,
    ...record,
    contractCustody,
    loop,
    zone: () => approved.zone,
    custody: ports.custody,
    undo: ports.undo,
    landing: {
      patch: (entry, maxBytes) => ports.isolation.queue.patch(entry, maxBytes),
      answer: (id, answer) => ports.isolation.queue.answer(id, answer, stopping.signal),
    },
    keepTarget: () => ports.isolation.keepTarget(),
    landSoon: () => void ports.isolation.land(stopping.signal),
    approveChecks: async () => {
      if (loop.config !== null && record.ledger.state.running === null) await approveBase(ports, loop.config)
    },
    stepBreaker: async () => {
      const { progress, running } = record.ledger.state
      if (loop.config === null || running !== null) return
      await stepBreaker({ ports, config: loop.config, cycle: progress.cycleCount })
    },
    fleetNotices: () => options.fleetNotices?.(workspace.id) ?? [],
    permissions: () => options.operator.waiting(workspace.id),
    sweep: async () => sweepNow(ports, configInForce(), stopping.signal),
    contracts: ports.contracts,
    contractTrial: createContractTrial(ports, configInForce, stopping.signal),
    stop: async () => {
      stopping.abort()
      await recovered
      await stopWatching()
      await loop.stop()
      await attested()
      contractCustody.close()
      await Promise.all([ports.stopLooking(), record.ledger.close()])
    },
  }
}

/** Reported in the record itself, so that deleting the seal afterwards doesn't delete the finding. */
async function reportBrokenRecord(
  { id, name }: RegisteredWorkspace,
  problems: readonly string[],
  ledger: Ledger,
  { notifier, log }: Pick<RuntimeOptions, 'notifier' | 'log'>,
): Promise<void> {
  const [first] = problems
  if (first === undefined) return
  const message = `The record is incomplete: ${problems.slice(0, 10).join('; ')}. ${acceptRecord(id)}`
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
    title: `The record of ${name} is incomplete`,
    body: `${first}. ${acceptRecord(id)}`,
  })
}

/** Notifies of a clock that was ahead or is behind: the record stays on its last day, and without this no one would know why. */
function notifyOfWrongClock(
  { id, name }: RegisteredWorkspace,
  { state }: Ledger,
  today: string,
  { notifier, log }: Pick<RuntimeOptions, 'notifier' | 'log'>,
): void {
  const notice = clockNotice(state.day, today)
  if (notice === null) return
  log.warn(notice.message, { workspace: id })
  notifier.notify({
    key: `clock:${id}`,
    about: 'trouble',
    workspaceId: id,
    title: `The day of ${name} does not advance`,
    body: `${notice.message} ${notice.remedy}`,
  })
}

/** Returns what the operator can do about a damaged record. */
export function acceptRecord(id: string): string {
  return `Inspect it with \`pulseward doctor\`; the current record counts again after \`pulseward doctor --accept ${id}\`.`
}

function refreshOnChange(loop: WorkspaceLoop, contractCustody: WorkspaceCustody, log: Log): void {
  // Looks at the contract before the configuration is read: who made a change decides what the operator is asked.
  contractCustody
    .look()
    .then(() => loop.refresh())
    .catch((error: unknown) => log.error('A changed file could not be taken in', { error: String(error) }))
}
