import type { Command } from 'commander'
import type { DiscoveredAgent } from '../../core/read-model/agent.ts'
import { findRunningHost } from '../connect.ts'
import type { CommandContext, RunCommand } from '../context.ts'
import { columns } from '../format.ts'
import type { Paint } from '../output.ts'

export function addAgentsCommand(program: Command, run: RunCommand): void {
  program
    .command('agents')
    .description('find the agents on this machine: version, login, and what is known about them')
    .action(run(agents))
}

/** Asks the running host, if there is one, because it runs the agents with its own search path and environment. */
async function agents(context: CommandContext): Promise<0 | 1> {
  const host = await findRunningHost(context)
  const found =
    host === null ? (await context.machine.lookForAgents()).agents : (await host.agents.discover()).agents
  context.output.answer({ agents: found }, (paint) => describe(found, paint))
  return found.some((agent) => agent.found) ? 0 : 1
}

function describe(agents: readonly DiscoveredAgent[], paint: Paint): string[] {
  const present = agents.filter(({ found }) => found)
  const missing = agents.filter(({ found }) => !found)
  return [
    ...present.flatMap((agent) => describeAgent(agent, paint)),
    ...(present.length === 0
      ? ['No known agent is installed; any program named in pulseward.toml works too.']
      : []),
    paint('strong', 'Not installed'),
    ...columns(missing.map(({ preset, hint }) => [`  ${preset}`, hint ?? ''])),
  ]
}

function describeAgent(agent: DiscoveredAgent, paint: Paint): string[] {
  const { preset, name, version, path, login, hint, measuredVersion, capabilities, remarks } = agent
  const logins = {
    'logged-in': 'logged in',
    'logged-out': 'not logged in',
    unknown: 'login not known',
  } as const
  const style = { 'logged-in': 'good', 'logged-out': 'warning', unknown: 'quiet' } as const
  const measured =
    measuredVersion === null
      ? 'What is known about it is from its documentation.'
      : `Measured with ${measuredVersion}${version === null || version === measuredVersion ? '' : '; this is another version'}.`
  return [
    `${paint('strong', name)} ${version ?? '(version not known)'}  preset = "${preset}"  ${paint(style[login], logins[login])}`,
    `  ${path}`,
    ...(hint === null ? [] : [`  ${paint('warning', hint)}`]),
    ...(capabilities === null ? ['  Run over ACP.'] : [`  ${describeCapabilities(capabilities)}`]),
    ...(agent.acpFound || agent.acpHint === null ? [] : [`  For mode = "acp": ${agent.acpHint}`]),
    ...[...remarks, measured].map((remark) => `  ${paint('quiet', remark)}`),
  ]
}

/** Lists both what an agent can and can't do: what is missing matters just as much. */
function describeCapabilities(capabilities: NonNullable<DiscoveredAgent['capabilities']>): string {
  const words = {
    events: 'events',
    denials: 'refused tools show',
    resume: 'same session again',
    usage: 'tokens',
    cost: 'cost',
    mcp: 'MCP servers',
  } as const
  const names = Object.keys(words) as (keyof typeof words)[]
  const has = names.filter((name) => capabilities[name]).map((name) => words[name])
  const lacks = names.filter((name) => !capabilities[name]).map((name) => words[name])
  return `Can: ${has.join(', ')}.${lacks.length === 0 ? '' : ` Cannot: ${lacks.join(', ')}.`}`
}
