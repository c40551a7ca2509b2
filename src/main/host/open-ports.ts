import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { createAcpRunner } from '../agents/acp/acp-runner.ts'
import { createCommandRunner } from '../agents/command-runner.ts'
import { readContractFile } from '../config/contract-file.ts'
import type { RegisteredWorkspace } from '../config/registry.ts'
import { settingTexts } from '../config/text-report.ts'
import { approve, readTrust } from '../config/trust.ts'
import { createAgentTimes } from '../custody/agent-times.ts'
import { createAttemptUndo } from '../custody/attempt-undo.ts'
import { type ContentStore, createContentStore } from '../custody/content-store.ts'
import type { WorkspaceCustody } from '../custody/contract-custody.ts'
import { createContractReader } from '../custody/contract-reader.ts'
import { createCustody } from '../custody/custody.ts'
import { openContractCustody } from '../custody/open-custody.ts'
import { hashOfEvent } from '../ledger/read-events.ts'
import { openReportChannel } from '../mcp/report-channel.ts'
import { type Contain, DEFAULT_SANDBOX } from '../ports/containment.ts'
import type { ContractReader } from '../ports/contract-reader.ts'
import type { Custody } from '../ports/custody.ts'
import type { Ledger } from '../ports/ledger.ts'
import type { Log } from '../ports/log.ts'
import type { WorkLease } from '../ports/work-lease.ts'
import type { TrustState } from '../ports/workspace-config.ts'
import { machineBoot, oomKills } from '../process/process-identity.ts'
import { endLeftovers } from '../process/running-note.ts'
import type { Sandbox, SandboxedAgent } from '../sandbox/sandbox.ts'
import { createSnapshotter } from '../snapshot/snapshotter.ts'
import { createSnapshotterInThread } from '../snapshot/snapshotter-in-thread.ts'
import { configInForce } from '../supervisor/loop/plan-next.ts'
import type { WorkspacePorts } from '../supervisor/workspace-ports.ts'
import { createCheckTurns } from '../verifier/check-turns.ts'
import { createVerifier } from '../verifier/verifier.ts'
import { openCheckMemory } from './open-check-memory.ts'
import { isCopied, type OpenIsolation, openIsolation } from './open-isolation.ts'
import type { RuntimeOptions } from './runtime-options.ts'

/** Where a workspace and its data are. */
export interface WorkspacePlace {
  readonly workspace: RegisteredWorkspace
  readonly dataDirectory: string
  readonly approved: ApprovedSettings
}

/** Values of the approved configuration that apply while the ledger is open. Changed only by `follow`. */
export class ApprovedSettings {
  #zone: string
  #agent = NOBODY

  /** The sandbox knows no agent until the ledger has confirmed that this copy is the approved one. */
  constructor(copy: TrustState) {
    this.#zone = configInForce(copy)?.heartbeat.timezone ?? 'local'
  }

  /** The workspace's time zone, which its days are counted in. */
  get zone(): string {
    return this.#zone
  }

  /** The agent that the sandbox knows; none if no configuration is approved. */
  get agent(): SandboxedAgent {
    return this.#agent
  }

  /** Takes over a new approval state. Without an approved configuration the time zone stays, because the record's days continue. */
  follow(trust: TrustState): void {
    const config = configInForce(trust)
    if (config !== null) this.#zone = config.heartbeat.timezone ?? 'local'
    this.#agent = config?.agent ?? NOBODY
  }
}

const NOBODY: SandboxedAgent = { preset: null, passEnvironment: [], containment: DEFAULT_SANDBOX }

/** The ports that the loop needs, and those that only the host uses. */
export type OpenPorts = WorkspacePorts & {
  readonly isolation: OpenIsolation
  readonly contractCustody: WorkspaceCustody
  /** Releases what is kept in memory for the next look at the files. */
  readonly stopLooking: () => Promise<void>
}

export async function placeOf(
  workspace: RegisteredWorkspace,
  hostDirectory: string,
): Promise<WorkspacePlace> {
  const dataDirectory = join(hostDirectory, 'workspaces', workspace.id)
  const approved = new ApprovedSettings(await readTrust(workspace.path, dataDirectory))
  return { workspace, dataDirectory, approved }
}

/** Opens what a workspace's loop works with. Ends what a crash left running, and takes in what has changed on disk since. */
export async function openPorts(
  place: WorkspacePlace,
  ledger: Ledger,
  lease: WorkLease,
  options: RuntimeOptions,
): Promise<OpenPorts> {
  const { workspace, dataDirectory } = place
  const { clock, log, notifier } = options
  const attemptsDirectory = join(dataDirectory, 'attempts')
  const left = await endLeftovers(attemptsDirectory, log)
  const boot = machineBoot()
  const store = createContentStore(join(options.dataDirectory, 'content'))
  const custody = createCustody({
    directory: workspace.path,
    dataDirectory,
    store,
    clock,
    log,
    excluded: [options.dataDirectory],
    ranElsewhere: () => options.agentsAtWork.ranElsewhere(workspace.id),
  })
  const contracts = createContractReader(options.threads, workspace.path)
  const contractCustody = custodyOfContract(place, ledger, contracts, options)
  // Done before an interrupted attempt is closed: changes since it began are its agent's.
  await contractCustody.look().catch((error: unknown) => sayUnseen(workspace, log, error))
  const ports: Omit<OpenPorts, 'isolation'> = {
    id: workspace.id,
    get name() {
      return workspace.name
    },
    directory: workspace.path,
    attemptsDirectory,
    clock,
    log,
    tracer: options.tracer,
    ledger,
    ...snapshotterOf(place, options),
    notifier,
    contractCustody,
    contracts,
    ...filesOf(place, contractCustody, ledger),
    ...programsOf(workspace.path, attemptsDirectory, custody, options),
    custody,
    undo: createAttemptUndo({
      directory: workspace.path,
      attemptsDirectory,
      store,
      custody,
      log,
      nowMs: () => clock.nowMs(),
    }),
    // An agent can delete the notes about its own processes, so the boot is compared too.
    diedAlone: left.diedAlone || (boot !== null && ledger.state.running?.attempt?.boot === boot),
    leftContained: left.isContained,
    boot,
    oomKills,
    operator: options.operator,
    parking: options.parking,
    spending: options.spending,
    power: options.power,
    lease,
    withSlot: options.withSlot,
    emit: options.emit,
    randomSuffix,
  }
  const checkMemory = openCheckMemory(ports, options)
  return Object.assign(ports, { checkMemory, isolation: isolationOf(place, ports, store, options) })
}

function sayUnseen({ id }: RegisteredWorkspace, log: Log, error: unknown): void {
  log.error('Could not check a contract', { workspace: id, error: String(error) })
}

/** Opens the isolation of attempts in separate trees. */
function isolationOf(
  place: WorkspacePlace,
  ports: WorkspacePorts,
  store: ContentStore,
  options: RuntimeOptions,
): OpenIsolation {
  const { workspace, dataDirectory } = place
  const { clock, log, sandbox } = options
  return openIsolation({
    directory: workspace.path,
    dataDirectory,
    treesDirectory: join(options.dataDirectory, 'trees', workspace.id),
    ports,
    portsAt: ({ directory, dataDirectory: own, reads, copy }) => {
      const origin = originOf(ports.custody, copy)
      const custody = createCustody({
        directory,
        dataDirectory: own,
        store,
        clock,
        log,
        excluded: [],
        origin,
      })
      const inTree = { ...options, sandbox: sandbox === null ? null : readingAlso(sandbox, reads) }
      const agent = (): SandboxedAgent => place.approved.agent
      return {
        snapshotter: createSnapshotter({ log, ...containedBy(inTree.sandbox, directory, agent) }),
        custody,
        // Left out, because each attempt has a new tree.
        checkMemory: undefined,
        ...programsOf(directory, ports.attemptsDirectory, custody, inTree),
      }
    },
    changed: () => options.emit({ type: 'workspace-updated', workspace: workspace.id, view: null }),
    recordHead: async () => {
      const { seq } = ports.ledger.state
      return `${seq}:${(await hashOfEvent(join(dataDirectory, 'ledger'), seq)) ?? ''}`
    },
  })
}

/** Returns what agents changed in the workspace's folder that trees get from there. `copy`: the ignored files among it. */
function originOf(custody: Custody, copy: readonly string[]): Pick<Custody, 'dependencies' | 'outside'> {
  return {
    dependencies: () => custody.dependencies(),
    outside: async () => {
      const changed = copy.length === 0 ? [] : (await custody.look()).map(({ path }) => path)
      return [...(await custody.outside()), ...changed.filter((path) => isCopied(path, copy))]
    },
  }
}

/** Also lets programs in a tree read these folders, wherever they are. */
function readingAlso(sandbox: Sandbox, reads: readonly string[]): Sandbox {
  return {
    ...sandbox,
    of: (workspace, agent) => {
      const contain = sandbox.of(workspace, agent)
      return (role, needs = {}) =>
        contain(role, { ...needs, readable: [...(needs.readable ?? []), ...reads] })
    },
  }
}

function randomSuffix(): string {
  return randomInt(36 ** 4)
    .toString(36)
    .padStart(4, '0')
}

function snapshotterOf(
  place: WorkspacePlace,
  { log, threads, sandbox, dataDirectory }: RuntimeOptions,
): Pick<OpenPorts, 'snapshotter' | 'stopLooking'> {
  const directory = place.workspace.path
  const own = {
    exclude: [dataDirectory],
    isAgents: async (changedMs: number) =>
      (await createAgentTimes(join(place.dataDirectory, 'custody'), log).has())(changedMs),
    ...containedBy(sandbox, directory, () => place.approved.agent),
  }
  // What a thread keeps is released when the thread ends.
  if (threads !== undefined)
    return {
      snapshotter: createSnapshotterInThread(threads, { directory, ...own }),
      stopLooking: async () => {},
    }
  const snapshotter = createSnapshotter({ log, ...own })
  return { snapshotter, stopLooking: snapshotter.close }
}

function custodyOfContract(
  { workspace, dataDirectory }: WorkspacePlace,
  ledger: Ledger,
  contracts: ContractReader,
  { log, notifier, agentsAtWork, leftBehind }: RuntimeOptions,
): WorkspaceCustody {
  return openContractCustody({
    workspaceId: workspace.id,
    workspaceName: workspace.name,
    directory: workspace.path,
    dataDirectory,
    ledger,
    log,
    notifier,
    agentsAtWork,
    contracts,
    leftBehind,
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
}

/** Returns contract and configuration in their effective versions. */
function filesOf(
  place: WorkspacePlace,
  contractCustody: WorkspaceCustody,
  ledger: Ledger,
): Pick<WorkspacePorts, 'readContract' | 'refreshTrust'> {
  const { workspace, dataDirectory, approved } = place
  return {
    readContract: () => contractCustody.inForce(),
    refreshTrust: async () => {
      // Who made the change is determined first, because it decides what the operator is asked.
      await contractCustody.look()
      const trust = await readTrust(workspace.path, dataDirectory, ledger.approvedHash)
      if (trust.kind === 'unapproved' && trust.isCopyLost === true) await recordLostApproval(ledger)
      approved.follow(trust)
      return trust
    },
  }
}

/** Returns what runs the workspace's agent and checks, in their sandbox. */
function programsOf(
  directory: string,
  attemptsDirectory: string,
  custody: Custody,
  { clock, log, sandbox, reportServer, version }: RuntimeOptions,
): Pick<WorkspacePorts, 'openReportChannel' | 'reachOfAgent' | 'createAgent' | 'createVerifier'> {
  const turns = createCheckTurns()
  return {
    openReportChannel: async (subject) =>
      reportServer === null ? null : openReportChannel({ script: reportServer, subject, log }),
    reachOfAgent: async ({ agent }) => (await sandbox?.writableBy(directory, agent)) ?? 'everywhere',
    createAgent: ({ agent }) => {
      const contained = containedBy(sandbox, directory, () => agent)
      return agent.kind === 'acp'
        ? createAcpRunner(agent, { clock, log, ...contained, version })
        : createCommandRunner(agent, { clock, log, ...contained })
    },
    createVerifier: (config, { room, earlier, watch, reuse } = {}) =>
      createVerifier({
        directory,
        config,
        clock,
        log,
        notes: attemptsDirectory,
        turns,
        ...(room && { room }),
        ...(earlier && { earlier }),
        ...(watch && { watch }),
        ...(reuse && { reuse }),
        openJudgeRoom: (signal) => custody.openJudgeRoom(signal),
        resolveProgram: (program) => custody.programPath(program),
        ...containedBy(sandbox, directory, () => config.agent),
      }),
  }
}

function containedBy(
  sandbox: Sandbox | null,
  workspace: string,
  agent: () => SandboxedAgent,
): { readonly contain?: Contain } {
  if (sandbox === null) return {}
  return { contain: (role, needs) => sandbox.of(workspace, agent())(role, needs) }
}

/** Records a lost approval once, until the configuration is approved again. */
async function recordLostApproval(ledger: Ledger): Promise<void> {
  if (ledger.state.notices.some(({ code }) => code === 'approval-lost')) return
  await ledger.append({
    type: 'diagnostic-raised',
    code: 'approval-lost',
    taskId: null,
    message:
      'The approved copy of pulseward.toml in the data folder is gone or is not what you approved, so nothing runs. Look at the configuration and approve it again.',
  })
}
