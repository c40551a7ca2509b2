import type { DiscoveredAgent } from '../core/read-model/agent.ts'
import { checkCostInWords, checkInWords } from '../core/read-model/cost-words.ts'
import { counted } from '../core/scoring/format.ts'
import { harmlessLine } from '../core/text/harmless.ts'
import { findRunningHost } from './connect.ts'
import type { Finding } from './finding.ts'
import type { Machine, WorkspaceFindings } from './machine.ts'

export interface Check extends Finding {
  readonly name: string
}

/** The oldest Node.js version that the tests run with. */
const OLDEST_NODE = [20, 18]

/** Runs every check of `doctor`, in the order in which it is shown. Changes nothing. */
export async function runChecks(
  machine: Machine,
  dataDirectory: string,
  signal: AbortSignal,
): Promise<Check[]> {
  const data = await machine.data()
  const { exists, ...folder } = await data.inspectDataDirectory(dataDirectory)
  const checks: Check[] = [runtimeCheck(process.versions), { name: 'data folder', ...folder }]
  if (exists) {
    checks.push(await hostCheck(machine, dataDirectory, signal))
    const settings = await data.inspectSettings(dataDirectory)
    if (settings !== null) checks.push({ name: 'settings', ...settings })
    const seals = await data.inspectSeals()
    if (seals !== null) checks.push({ name: 'seals', ...seals })
    const { workspaces, problems } = await data.inspectWorkspaces(dataDirectory)
    checks.push(...problems.map((message) => ({ name: 'workspaces', status: 'error' as const, message })))
    checks.push(...workspaces.flatMap(workspaceChecks))
  }
  checks.push({ name: 'sandbox', ...(await data.inspectSandbox()) })
  return [...checks, await gitCheck(machine), ...(await agentsChecks(machine))]
}

export function runtimeCheck(versions: { readonly node: string; readonly electron?: string }): Check {
  const [major = 0, minor = 0] = versions.node.split('.').map(Number)
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE
  const name = 'runtime'
  if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
    return { name, status: 'error', message: `Node.js ${versions.node} is too old: install 20.19 or later.` }
  }
  const electron = versions.electron === undefined ? '' : ` in Electron ${versions.electron}`
  return { name, status: 'ok', message: `Node.js ${versions.node}${electron}` }
}

async function hostCheck(machine: Machine, dataDirectory: string, signal: AbortSignal): Promise<Check> {
  const name = 'host'
  const [address, client] = [
    await machine.findHost(dataDirectory),
    await findRunningHost({ machine, dataDirectory, signal }),
  ]
  if (address !== null && client !== null) {
    return { name, status: 'ok', message: `runs as process ${address.pid} on port ${address.port}` }
  }
  const owner = await (await machine.data()).findOwner(dataDirectory)
  if (owner === null)
    return { name, status: 'ok', message: 'none runs; start one with `pulseward serve` or the app' }
  const process = owner.pid === null ? 'another process' : `process ${owner.pid}`
  const remedy = 'Wait a moment; if it stays so, end that process.'
  return {
    name,
    status: 'warning',
    message: `${process} owns the data folder but does not answer. ${remedy}`,
  }
}

function workspaceChecks(workspace: WorkspaceFindings): Check[] {
  const name = `workspace ${workspace.id}`
  const { contractProblem, trust, documents, ledger } = workspace
  const shown = ledger.problems
    .slice(0, 3)
    // Line 0: the whole file.
    .map(({ file, line, message }) => `${file}:${line > 0 ? `${line}:` : ''} ${message}`)
  const more = ledger.problems.length > 3 ? ` And ${ledger.problems.length - 3} more.` : ''
  return [
    contractProblem === null
      ? { name, status: 'ok', message: workspace.path }
      : { name, status: 'error', message: contractProblem },
    { name: `${name} trust`, ...trust },
    ...documents.map((message) => ({ name: `${name} documents`, status: 'warning' as const, message })),
    ledger.problems.length === 0
      ? { name: `${name} ledger`, status: 'ok', message: `${counted(ledger.events, 'event')}, unbroken` }
      : { name: `${name} ledger`, status: 'error', message: `${shown.join('; ')}.${more}` },
    ...costliestCheck(name, ledger.dayCosts),
  ]
}

function costliestCheck(workspace: string, costs: WorkspaceFindings['ledger']['dayCosts']): Check[] {
  const costliest = costs?.checks[0]
  if (costs === null || costliest === undefined) return []
  const message = `${checkInWords(costliest)} took longest on ${costs.day}: ${checkCostInWords(costliest)}`
  return [{ name: `${workspace} checks`, status: 'ok', message: harmlessLine(message, 300) }]
}

async function gitCheck(machine: Machine): Promise<Check> {
  const path = await machine.findProgram('git')
  return path === null
    ? {
        name: 'git',
        status: 'warning',
        message: 'not found: repositories are compared file by file, which is slower.',
      }
    : { name: 'git', status: 'ok', message: path }
}

async function agentsChecks(machine: Machine): Promise<Check[]> {
  const { agents, withheld } = await machine.lookForAgents()
  const found = agents.filter((agent) => agent.found)
  const checks: Check[] =
    found.length === 0
      ? [
          {
            name: 'agents',
            status: 'warning',
            message: `none of ${agents.map(({ preset }) => preset).join(', ')} is installed; any program named in pulseward.toml works too.`,
          },
        ]
      : [{ name: 'agents', status: 'ok', message: found.map(inWords).join('; ') }]
  if (withheld.length === 0) return checks
  const names =
    withheld.slice(0, 10).join(', ') + (withheld.length > 10 ? ` and ${withheld.length - 10} more` : '')
  const message = `kept from agents, because they look like secrets: ${names}. Those that a preset needs are passed on, and so is what pass_env under [agent] names.`
  return [...checks, { name: 'environment', status: 'ok', message }]
}

function inWords({ name, version, path, login, hint }: DiscoveredAgent): string {
  const state = { 'logged-in': ', logged in', 'logged-out': ', not logged in', unknown: '' }[login]
  return `${name}${version === null ? '' : ` ${version}`} (${path})${state}${hint === null ? '' : `. ${hint}`}`
}
