import type { ProbeConfig, WorkspaceConfig } from '../ports/workspace-config.ts'
import { parseWorkspaceConfig } from './parse-config.ts'

/** Something the configuration makes Pulseward run or read, in words and as a command line. */
export interface DescribedCommand {
  purpose: string
  command: string[]
}

/** Everything that `config` would run or read outside Pulseward, in the order in which an operator wants to judge it. */
function describeCommands(config: WorkspaceConfig): DescribedCommand[] {
  const { agent, probes, gates, judge, approvedCommands } = config
  const variables = Object.keys(agent.env)
  const environment = variables.length === 0 ? '' : `, with ${variables.join(', ')} set`
  return [
    { purpose: `Agent ${agent.id}, for each open task${environment}`, command: [...agent.command] },
    ...Object.entries(probes).map(([name, probe]) => describeProbe(name, probe)),
    ...gates.commands.map((command) => ({ purpose: 'Gate, after each attempt', command: [...command] })),
    ...(judge ? [{ purpose: 'Judge, for tasks nothing measures', command: [...judge.command] }] : []),
    ...approvedCommands.map((command) => ({
      purpose: 'Allowed in hints as succeeds("…")',
      command: [command],
    })),
  ]
}

/** Like `describeCommands`, for a text; empty where the text is not valid. */
export function describeConfigText(text: string): DescribedCommand[] {
  const reading = parseWorkspaceConfig(text)
  return reading.ok ? describeCommands(reading.config) : []
}

function describeProbe(name: string, { source }: ProbeConfig): DescribedCommand {
  switch (source.kind) {
    case 'command':
      return { purpose: `Probe ${name}`, command: [...source.command] }
    case 'file':
      return { purpose: `Probe ${name}, reads the file`, command: [source.file] }
    case 'url':
      return { purpose: `Probe ${name}, fetches the address`, command: [source.url] }
  }
}
