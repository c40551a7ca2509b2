import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { createAcpRunner } from '../agents/acp/acp-runner.ts'
import { createCommandRunner } from '../agents/command-runner.ts'
import { readContractFile } from '../config/contract-file.ts'
import type { RegisteredWorkspace } from '../config/registry.ts'
import { settingTexts } from '../config/text-report.ts'
import { approve, readTrust } from '../config/trust.ts'
import { createAttemptUndo } from '../custody/attempt-undo.ts'
import { createContentStore } from '../custody/content-store.ts'
import type { WorkspaceCustody } from '../custody/contract-custody.ts'
import { createCustody } from '../custody/custody.ts'
import { openContractCustody } from '../custody/open-custody.ts'
import { openReportChannel } from '../mcp/report-channel.ts'
import type { Contain } from '../ports/containment.ts'
import type { Custody } from '../ports/custody.ts'
import type { Ledger } from '../ports/ledger.ts'
import type { AgentConfig } from '../ports/workspace-config.ts'
import { machineBoot } from '../process/process-identity.ts'
import { endLeftovers } from '../process/running-note.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { createSnapshotter } from '../snapshot/snapshotter.ts'
import type { WorkspacePorts } from '../supervisor/workspace-ports.ts'
import { createVerifier } from '../verifier/verifier.ts'
import type { RuntimeOptions } from './runtime-options.ts'

/** Where a workspace and its data are. */
export interface WorkspacePlace {
  readonly workspace: RegisteredWorkspace
  readonly dataDirectory: string
  /** The approved configuration's, which may change while the ledger is open. */
  readonly zone: { name: string }
}

/** Of what the loop needs, with what the host itself asks too. */
export type OpenPorts = WorkspacePorts & { readonly contractCustody: WorkspaceCustody }

export async function placeOf(
  workspace: RegisteredWorkspace,
  hostDirectory: string,
): Promise<WorkspacePlace> {
  const dataDirectory = join(hostDirectory, 'workspaces', workspace.id)
  const approved = await readTrust(workspace.path, dataDirectory)
  const config = approved.kind === 'approved' || approved.kind === 'changed' ? approved.config : null
  return { workspace, dataDirectory, zone: { name: config?.heartbeat.timezone ?? 'local' } }
}

/** What the loop of a workspace works with. Ends what a crash left running, and takes in what changed on disk meanwhile. */
export async function openPorts(
  place: WorkspacePlace,
  ledger: Ledger,
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
  })
  const contractCustody = custodyOfContract(place, ledger, options)
  // Before an attempt that was cut off is closed: what changed since it began is that agent's.
  await contractCustody
    .look()
    .catch((error: unknown) =>
      log.error('A contract could not be looked at', { workspace: workspace.id, error: String(error) }),
    )
  return {
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
    snapshotter: createSnapshotter({ log, exclude: [options.dataDirectory] }),
    notifier,
    contractCustody,
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
    // The notes of what ran can be deleted by whom they are about.
    diedAlone: left.diedAlone || (boot !== null && ledger.state.running?.attempt?.boot === boot),
    boot,
    operator: options.operator,
    parking: options.parking,
    withSlot: options.withSlot,
    emit: options.emit,
    randomSuffix: () =>
      randomInt(36 ** 4)
        .toString(36)
        .padStart(4, '0'),
  }
}

function custodyOfContract(
  { workspace, dataDirectory }: WorkspacePlace,
  ledger: Ledger,
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

/** Contract and configuration as they count. */
function filesOf(
  { workspace, dataDirectory, zone }: WorkspacePlace,
  contractCustody: WorkspaceCustody,
  ledger: Ledger,
): Pick<WorkspacePorts, 'readContract' | 'readTrust'> {
  return {
    readContract: () => contractCustody.inForce(),
    readTrust: async () => {
      // Whose the change is comes first: it decides what is asked of the operator.
      await contractCustody.look()
      const base = ledger.state.custody['pulseward.toml']?.base ?? null
      const trust = await readTrust(workspace.path, dataDirectory, base)
      if (trust.kind === 'unapproved' && trust.isCopyLost === true) await recordLostApproval(ledger)
      if (trust.kind === 'approved' || trust.kind === 'changed')
        zone.name = trust.config.heartbeat.timezone ?? 'local'
      return trust
    },
  }
}

/** What is run for the workspace: its agent and its checks, in what contains them. */
function programsOf(
  directory: string,
  attemptsDirectory: string,
  custody: Custody,
  { clock, log, sandbox, reportServer, version }: RuntimeOptions,
): Pick<WorkspacePorts, 'openReportChannel' | 'reachOfAgent' | 'createAgent' | 'createVerifier'> {
  return {
    openReportChannel: async (subject) =>
      reportServer === null ? null : openReportChannel({ script: reportServer, subject, log }),
    reachOfAgent: async ({ agent }) => (await sandbox?.writableBy(directory, agent)) ?? 'everywhere',
    createAgent: ({ agent }) => {
      const contained = containedBy(sandbox, directory, agent)
      return agent.kind === 'acp'
        ? createAcpRunner(agent, { clock, log, ...contained, version })
        : createCommandRunner(agent, { clock, log, ...contained })
    },
    createVerifier: (config, room) =>
      createVerifier({
        directory,
        config,
        clock,
        log,
        notes: attemptsDirectory,
        ...(room && { room }),
        resolveProgram: (program) => custody.programPath(program),
        ...containedBy(sandbox, directory, config.agent),
      }),
  }
}

function containedBy(
  sandbox: Sandbox | null,
  workspace: string,
  agent: AgentConfig,
): { readonly contain?: Contain } {
  return sandbox === null ? {} : { contain: sandbox.of(workspace, agent) }
}

/** Once, until the configuration is approved anew. */
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
