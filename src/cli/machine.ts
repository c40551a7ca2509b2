import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import type { ExitCodeChecks } from '../core/contract/exit-code-hint.ts'
import type { Contract } from '../core/contract/types.ts'
import type { FleetEntry } from '../core/fleet/view.ts'
import type { DiscoveredAgent } from '../core/read-model/agent.ts'
import type { ContractReport } from '../core/read-model/contract-document.ts'
import { isReportFormat } from '../core/reports/test-report.ts'
import { SUPERVISOR_VARIABLE } from '../core/vocabulary/supervisor-variable.ts'
import type { Backup } from '../main/backup/manifest.ts'
import type { Restored } from '../main/backup/restore-backup.ts'
import type { ContractFileReading } from '../main/config/contract-file.ts'
import { defaultDataDirectory } from '../main/config/data-directory.ts'
import { readBoundedFile } from '../main/files/bounded-file.ts'
import { readServerFile, type ServerAddress } from '../main/ledger/server-file.ts'
import { processOrigin } from '../main/process/process-origin.ts'
import { supervisorTag } from '../main/process/supervisor-tag.ts'
import type { ServiceState } from '../main/service/service.ts'
import { usageError } from './cli-error.ts'
import type { WorkspaceFindings } from './inspect-data.ts'
import type { attestationKeeper, CheckAnswer, RingKey } from './keep-attestations.ts'
import type { changeKeeper } from './keep-changes.ts'
import type { HookKeeper, HookStatus, PlannedHook } from './keep-hooks.ts'
import type { hubKeeper } from './keep-hub.ts'
import type { OwnHost, OwnHostOptions } from './own-host.ts'

export type {
  Backup,
  CheckAnswer,
  HookStatus,
  OwnHost,
  PlannedHook,
  RingKey,
  ServiceState,
  WorkspaceFindings,
}
export type ServiceAction = 'install' | 'status' | 'remove'

/** What commands can do on this machine without a host. */
export interface Machine {
  /** Where the data folder is unless `--data-dir` names one. */
  readonly defaultDataDirectory: string
  /** Returns why a path can't be a data folder, a sentence with the remedy; `null` if it can. Never rejects. */
  problemOfDataDirectory(path: string): Promise<string | null>
  /** Returns the address in the data folder's `server.json`, if its process still runs. */
  findHost(dataDirectory: string): Promise<ServerAddress | null>
  /** True if this process was started by the supervisor of the data folder, or descends from one that was. */
  isSupervised(dataDirectory: string): Promise<boolean>
  /** Records that a command of such a process was refused while no host was running to record it. Never rejects. */
  noteRefused(dataDirectory: string, command: string, directory: string): Promise<void>
  /**
   * Claims the data folder and starts a host; rejects with a usage error if this user may not write there, with a `RequestProblem` of kind
   * `conflict` if another host owns it.
   */
  startHost(options: OwnHostOptions): Promise<OwnHost>
  /** What can be found out about a data folder and this machine's sandbox without a host. */
  readonly data: () => Promise<typeof import('./inspect-data.ts')>
  /** Reads a contract at any path. Never rejects. */
  readContract(path: string): Promise<ContractFileReading>
  /** Returns the probes that a folder's `pulseward.toml` names, approved or not; `problem` says where it is broken. */
  readProbeNames(directory: string): Promise<{
    readonly names: readonly string[]
    readonly problem: string | null
    /** Left out if the file is missing or broken. */
    readonly exitCodes?: ExitCodeChecks
    readonly reportProbes?: readonly string[]
  }>
  /** Returns a `hollow-hint` warning for each open task whose check of files passes already, before any work. Never rejects. */
  hollowHints(
    contract: Contract,
    directory: string,
    probeNames: readonly string[],
  ): Promise<ContractReport['diagnostics']>
  /** Writes the sample; rejects with a `RequestProblem` if the folder is not empty. */
  writeSample(directory: string): Promise<void>
  /** Returns the path of a program, or null if it is not on `PATH`. */
  findProgram(name: string): Promise<string | null>
  /** Finds known agents, and the variables that are withheld from agents. Can take a few seconds. */
  lookForAgents(): Promise<{
    readonly agents: readonly DiscoveredAgent[]
    readonly withheld: readonly string[]
  }>
  /** Controls the service through the system's service manager; rejects with a `RequestProblem` if it refuses or none is known. */
  service(action: ServiceAction, dataDirectory: string): Promise<ServiceState>
  readonly backups: {
    /** Works while a host runs, too. Rejects with a `RequestProblem`. */
    readonly create: (dataDirectory: string) => Promise<Backup>
    readonly list: (dataDirectory: string) => Promise<readonly Backup[]>
    /** By name or path; rejects with a `RequestProblem`, of kind `conflict` if a host owns the data folder. */
    readonly restore: (dataDirectory: string, given: string) => Promise<Restored>
  }
  /** Signed verdicts and the keys that sign them; each rejects with a `RequestProblem` or a `CliError`. */
  readonly attestations: () => Promise<typeof attestationKeeper>
  /** Hooks in agents' programs; each method rejects with a `RequestProblem`. */
  hooks(dataDirectory: string): Promise<HookKeeper>
  /** A fleet hub in a folder of this machine; each method rejects with a `RequestProblem`. */
  readonly hub: () => Promise<typeof hubKeeper>
  /** Writes entries of all hosts into a new file; returns its size, or `null` if the file can't be created. */
  exportFleet(
    path: string,
    format: 'json' | 'csv',
    pages: AsyncIterable<readonly FleetEntry[]>,
  ): Promise<number | null>
  /** Writes a workspace's documents and record into an empty folder; returns the file names. Rejects with a `RequestProblem`. */
  exportWorkspace(
    dataDirectory: string,
    workspace: { readonly id: string; readonly path: string },
    target: string,
  ): Promise<readonly string[]>
  /** Judges a change without a host; rejects with a `CliError` if it can't. */
  readonly changes: {
    readonly verify: (
      request: Omit<Parameters<(typeof changeKeeper)['verify']>[0], 'installation' | 'version'>,
    ) => ReturnType<(typeof changeKeeper)['verify']>
    readonly readClaims: (typeof changeKeeper)['readClaims']
  }
  /** True if there is someone at a terminal to answer. */
  isTerminal(): boolean
  /** Prints text unchanged. */
  print(text: string): void
}

export interface MachineOptions {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly homeDirectory: string
  readonly version: string
  readonly sampleDirectory: string
  /** The script of the server that agents report through. */
  readonly reportServer?: string
  readonly pageDirectory: string
}

export function createMachine(options: MachineOptions): Machine {
  return {
    defaultDataDirectory: defaultDataDirectory(options.environment, options.homeDirectory),
    problemOfDataDirectory: async (path) =>
      (await import('../main/config/data-directory-problem.ts')).problemOfDataDirectory(path),
    findHost: readServerFile,
    isSupervised: async (dataDirectory) => {
      const tag = supervisorTag(dataDirectory)
      if (options.environment[SUPERVISOR_VARIABLE] === tag) return true
      return processOrigin(process.pid, tag)?.isSupervised ?? false
    },
    noteRefused: async (dataDirectory, command, directory) => {
      const { noteRefusedCommand } = await import('../main/authority/refused-commands.ts')
      const at = new Date().toISOString()
      await noteRefusedCommand(dataDirectory, {
        at,
        command: command.slice(0, 200),
        pid: process.pid,
        directory,
      })
    },
    startHost: (hostOptions) => startHost(hostOptions, options),
    readContract: async (path) => (await import('../main/config/contract-file.ts')).readContractAt(path),
    readProbeNames,
    hollowHints: async (...asked) => {
      const [{ hollowHints }, { systemClock }] = await Promise.all([
        import('../main/verifier/hollow-hints.ts'),
        import('../main/host/system-clock.ts'),
      ])
      return hollowHints(...asked, systemClock)
    },
    writeSample: async (directory) => {
      const { writeSample } = await import('../main/config/sample.ts')
      await writeSample(directory, options.sampleDirectory)
    },
    findProgram: (name) => findProgram(name, options.environment),
    lookForAgents: async () => {
      const [{ discoverAgents }, { agentEnvironment }, { systemClock }] = await Promise.all([
        import('../main/agents/discovery.ts'),
        import('../main/agents/agent-environment.ts'),
        import('../main/host/system-clock.ts'),
      ])
      const { environment, homeDirectory } = options
      const { withheld } = agentEnvironment({ env: {}, passEnvironment: [] }, environment, homeDirectory)
      return { agents: await discoverAgents({ environment, homeDirectory, clock: systemClock }), withheld }
    },
    service: async (action, dataDirectory) => {
      const { controlService } = await import('./control-service.ts')
      return controlService(action, dataDirectory, options)
    },
    backups: {
      create: async (path) => (await import('./keep-backups.ts')).createNow(path, options.version),
      list: async (path) => (await import('./keep-backups.ts')).listBackups(path),
      restore: async (path, given) => (await import('./keep-backups.ts')).restore(path, given),
    },
    data: () => import('./inspect-data.ts'),
    hub: async () => (await import('./keep-hub.ts')).hubKeeper,
    ...changesOf(options),
    attestations: async () => (await import('./keep-attestations.ts')).attestationKeeper,
    exportFleet: async (...given) => (await import('./keep-backups.ts')).exportFleet(...given),
    exportWorkspace: async (path, workspace, target) =>
      (await import('./keep-backups.ts')).exportWorkspace(path, workspace, target),
  }
}

function changesOf(options: MachineOptions): Pick<Machine, 'changes' | 'hooks' | 'isTerminal' | 'print'> {
  const { version, sampleDirectory } = options
  const installation = join(sampleDirectory, '../..')
  return {
    changes: {
      verify: async (request) =>
        (await import('./keep-changes.ts')).changeKeeper.verify({ ...request, version, installation }),
      readClaims: async (path) => (await import('./keep-changes.ts')).changeKeeper.readClaims(path),
    },
    hooks: async (path) => (await import('./keep-hooks.ts')).hookKeeper(path, options),
    isTerminal: () => process.stdin.isTTY === true && process.stderr.isTTY === true,
    print: (text) => void process.stdout.write(text),
  }
}

async function startHost(hostOptions: OwnHostOptions, options: MachineOptions): Promise<OwnHost> {
  const { writeProblemOfDataDirectory } = await import('../main/config/data-directory-problem.ts')
  const problem = await writeProblemOfDataDirectory(hostOptions.dataDirectory)
  // A disk that became read-only is not the caller's mistake: claiming the folder reports that no host can run on it.
  if (problem?.code === 'EACCES') throw usageError(problem.message)
  // The host is most of the program, so commands that don't need it start faster without it.
  const { startOwnHost } = await import('./own-host.ts')
  return startOwnHost(hostOptions, options)
}

/** Returns the names of probes that read a test runner's report. */
function reportProbesOf(probes: Readonly<Record<string, { readonly parse: string }>>): readonly string[] {
  return Object.entries(probes).flatMap(([name, { parse }]) => (isReportFormat(parse) ? [name] : []))
}

async function readProbeNames(directory: string): ReturnType<Machine['readProbeNames']> {
  const path = join(directory, 'pulseward.toml')
  const file = await readBoundedFile(path, 256 * 1024)
  if (!file.ok)
    return { names: [], problem: file.code === 'ENOENT' ? null : `Cannot read ${path} (${file.code}).` }
  const { parseWorkspaceConfig } = await import('../main/config/parse-config.ts')
  const reading = parseWorkspaceConfig(file.bytes.toString('utf8'))
  if (reading.ok) {
    const { findExitCodeChecks } = await import('../main/config/exit-code-checks.ts')
    const exitCodes = await findExitCodeChecks(reading.config, directory)
    const { probes } = reading.config
    return { names: Object.keys(probes), problem: null, exitCodes, reportProbes: reportProbesOf(probes) }
  }
  const [first, ...others] = reading.problems
  const more = others.length === 0 ? '' : ` And ${others.length} more.`
  return { names: [], problem: `${path}:${first.line}:${first.column}: ${first.message}${more}` }
}

async function findProgram(
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string | null> {
  const endings = process.platform === 'win32' ? (environment.PATHEXT ?? '.EXE;.CMD').split(';') : ['']
  for (const folder of (environment.PATH ?? '').split(delimiter).filter(Boolean)) {
    for (const ending of endings) {
      const path = join(folder, name + ending)
      if (await isExecutable(path)) return path
    }
  }
  return null
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}
