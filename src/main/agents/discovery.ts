import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { type AgentProgram, type LoginCheck, placeOf } from '../../core/agents/program.ts'
import { AGENT_PROGRAMS, PRESET_IDS, type PresetId } from '../../core/agents/programs.ts'
import type { DiscoveredAgent } from '../../core/read-model/agent.ts'

import type { Clock } from '../ports/clock.ts'
import { type ProcessRun, runProcess } from '../process/run-process.ts'
import { agentEnvironment } from './agent-environment.ts'
import { searchPath } from './search-path.ts'

/*
 * Finds which agent programs are on this machine, and whether they are logged in, from files, variables and commands that don't contact the
 * programs' service. Everything runs in parallel, with a limit of `TIMEOUT_MS` each.
 */

const TIMEOUT_MS = 5000
const MAX_OUTPUT_BYTES = 16 * 1024

export interface DiscoveryOptions {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly homeDirectory: string
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>
  readonly signal?: AbortSignal
}

/** Returns every preset with what was found, installed ones first. Never rejects. */
export async function discoverAgents(options: DiscoveryOptions): Promise<DiscoveredAgent[]> {
  const agents = await Promise.all(PRESET_IDS.map((id) => discover(id, options)))
  return [...agents.filter(({ found }) => found), ...agents.filter(({ found }) => !found)]
}

async function discover(id: PresetId, options: DiscoveryOptions): Promise<DiscoveredAgent> {
  const preset: AgentProgram = AGENT_PROGRAMS[id]
  const { print, acp } = preset
  const [path, adapter] = await Promise.all([
    findProgram(preset.program, options),
    acp === null ? null : findProgram(acp.command[0] ?? '', options),
  ])
  const [version, login] =
    path === null
      ? [null, 'unknown' as const]
      : await Promise.all([versionOf(path, preset, options), loginState(path, preset, options)])
  // The exit code of a program that cannot even print its version (a broken installation, for example) means nothing.
  const believedLogin = version === null && login === 'logged-out' ? 'unknown' : login
  return {
    preset: id,
    name: preset.name,
    found: path !== null,
    path,
    version,
    measuredVersion: preset.measuredVersion,
    login: believedLogin,
    hint: hintFor(preset, path, believedLogin),
    modes: [...(print === null ? [] : ['print' as const]), ...(acp === null ? [] : ['acp' as const])],
    acpFound: adapter !== null,
    acpHint: adapter === null ? (acp?.install ?? null) : null,
    capabilities: print === null ? null : { ...print.capabilities },
    remarks: [...(print?.remarks ?? [])],
  }
}

function hintFor(preset: AgentProgram, path: string | null, login: DiscoveredAgent['login']): string | null {
  if (path === null) return preset.install
  return login === 'logged-out' ? preset.loginHint : null
}

/** Returns the path of a program on `PATH` or in a usual install folder; `null` if there is none. */
async function findProgram(name: string, options: DiscoveryOptions): Promise<string | null> {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', '.bat'] : ['']
  for (const folder of searchPath(options.homeDirectory, options.environment).split(delimiter)) {
    for (const ending of endings) {
      const path = join(folder, name + ending)
      if (await isProgram(path)) return path
    }
  }
  return null
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}

async function versionOf(
  path: string,
  preset: AgentProgram,
  options: DiscoveryOptions,
): Promise<string | null> {
  const { exitCode, stdout, stderr } = await ask([path, '--version'], preset, options)
  if (exitCode !== 0) return null
  return /\d+\.\d+(?:\.\d+)?(?:[-+][\w.]+)?/.exec(`${stdout.text}\n${stderr.text}`)?.[0].slice(0, 40) ?? null
}

async function loginState(
  path: string,
  preset: AgentProgram,
  options: DiscoveryOptions,
): Promise<DiscoveredAgent['login']> {
  const { login } = preset
  if (login.variables.some((name) => (options.environment[name] ?? '') !== '')) return 'logged-in'
  if (await hasLoginFile(login, options)) return 'logged-in'
  if (login.status === null) return login.conclusive ? 'logged-out' : 'unknown'
  const { exitCode } = await ask([path, ...login.status.arguments], preset, options)
  if (exitCode === 0) return 'logged-in'
  return exitCode === login.status.loggedOutExitCode ? 'logged-out' : 'unknown'
}

async function hasLoginFile({ files }: LoginCheck, options: DiscoveryOptions): Promise<boolean> {
  const paths = files
    .map((file) => placeOf(file, options.environment, options.homeDirectory))
    .filter((path) => path !== null)
  const sizes = await Promise.all(
    paths.map((path) =>
      stat(path).then(
        (found) => (found.isFile() ? found.size : 0),
        () => 0,
      ),
    ),
  )
  // After the last logout, `{}` remains in the file.
  return sizes.some((bytes) => bytes > 4)
}

function ask(
  command: readonly string[],
  preset: AgentProgram,
  { environment, homeDirectory, clock, signal }: DiscoveryOptions,
): Promise<ProcessRun> {
  const { env } = agentEnvironment(
    { env: { NO_COLOR: '1' }, passEnvironment: preset.passEnvironment },
    environment,
    homeDirectory,
  )
  return runProcess({
    command,
    directory: homeDirectory,
    env,
    stdin: null,
    timeoutMs: TIMEOUT_MS,
    killGraceMs: 500,
    signal: signal ?? new AbortController().signal,
    maxBytes: MAX_OUTPUT_BYTES,
    clock,
  })
}

/** Discovery for a long-running host: concurrent callers share one search, and `stop` ends what it started. */
export function createAgentDiscovery(options: Omit<DiscoveryOptions, 'signal'>) {
  const stopping = new AbortController()
  let running: Promise<DiscoveredAgent[]> | null = null
  return {
    discover: (): Promise<DiscoveredAgent[]> => {
      running ??= discoverAgents({ ...options, signal: stopping.signal }).finally(() => {
        running = null
      })
      return running
    },
    stop: async (): Promise<void> => {
      stopping.abort()
      await running
    },
  }
}
