import { tokenVariable } from '../../core/configuration/landing.ts'
import type { TrustItem } from '../../core/read-model/trust.ts'
import type { CheckVariables } from '../ports/check-variables.ts'
import type { SandboxConfig } from '../ports/containment.ts'
import type { ProbeConfig, WorkspaceConfig } from '../ports/workspace-config.ts'
import { dangersOf, dangersOfAddress, dangersOfEnvironment, dangersOfFile } from './dangers.ts'
import { parseWorkspaceConfig } from './parse-config.ts'

type Described = Omit<TrustItem, 'isNew'>

/**
 * Returns everything that a configuration's text makes Pulseward run, read or allow, in the order in which an operator reviews
 * it, marking what is new since `approvedText` (`null`: nothing was approved). Empty if the text is not valid.
 */
export function describeConfigText(text: string, approvedText: string | null = null): TrustItem[] {
  // Compare as text, because the same code formats both.
  const known =
    approvedText === null ? null : new Set(describeText(approvedText).map((item) => JSON.stringify(item)))
  return describeText(text).map((item) => ({
    ...item,
    isNew: known !== null && !known.has(JSON.stringify(item)),
  }))
}

function describeText(text: string): Described[] {
  const reading = parseWorkspaceConfig(text)
  return reading.ok ? describeConfig(reading.config) : []
}

function describeConfig(config: WorkspaceConfig): Described[] {
  const { probes, gates, judge, approvedCommands } = config
  return [
    ...describeAgent(config.agent),
    ...Object.entries(probes).map(([name, probe]) => describeProbe(name, probe)),
    ...gates.commands.map((command, index) =>
      withVariables(runs('Gate, after each attempt', 'gate', command), {
        env: gates.environments?.[index],
        envFrom: gates.secrets?.[index],
      }),
    ),
    ...(judge
      ? [withVariables(runs('Judge, for tasks without a measurement', 'judge', judge.command), judge)]
      : []),
    ...approvedCommands.map((line) => ({
      ...runs('Allowed in checks as succeeds("…")', 'hint', [line]),
      warnings: dangersOf(line.split(/\s+/)),
    })),
    ...describeIsolation(config),
    ...grants("Attempt data that is sent to the fleet's hub", sentOf(config.fleet), [
      "It leaves this machine: the hub's owner can read it.",
    ]),
  ]
}

/** Describes what a tree gets, and what happens with its work without a question. */
function describeIsolation({ workspace, landing }: WorkspaceConfig): Described[] {
  if (workspace.isolation === 'none') return []
  const target = [landing.target ?? 'the branch that was checked out when the folder was added']
  return [
    ...grants('Files that git ignores, copied for the agent', workspace.copy, []),
    ...grants('Verified work lands automatically on', landing.mode === 'auto' ? target : [], [
      'Nothing asks you before the branch moves.',
    ]),
    ...grants('Verified work gets a branch, to be merged into', landing.mode === 'branch' ? target : [], []),
    ...grants(
      'Verified work is pushed, with a pull request into',
      landing.mode === 'pull-request' ? target : [],
      [],
    ),
    ...describeForge(landing),
  ]
}

function describeForge({ forge, url, tokenEnv }: WorkspaceConfig['landing']): Described[] {
  const token = tokenVariable({ forge, tokenEnv })
  if (forge === null || token === null) return []
  return grants(
    `Commit statuses and pull requests go, with ${token} of your environment, to`,
    [url ?? `${forge}, at the host of the repository’s remote`],
    url?.startsWith('http:') === true
      ? [`${token} is sent unencrypted: anyone on the network can read it.`]
      : [],
  )
}

/** Describes what the agent and its checks can do outside the workspace, if it is more than by default. */
function describeSandbox({ sandbox, network, checksNetwork, writable }: SandboxConfig): Described[] {
  const isWider = checksNetwork === 'all' && network !== 'all'
  return [
    ...grants('Agent and checks run without the sandbox', sandbox === 'off' ? ['sandbox = "off"'] : [], [
      'They can read and change everything that you can.',
    ]),
    ...grants('Paths outside the workspace that the agent may write to', writable, []),
    ...grants('What checks can reach over the network', isWider ? ['everything'] : [], [
      'They run code that the agent may have written, and it can reach less.',
    ]),
  ]
}

function sentOf({ sendPrompts, sendOutput, sendDifferences }: WorkspaceConfig['fleet']): string[] {
  return [
    ...(sendPrompts ? ['prompts'] : []),
    ...(sendOutput ? ['output'] : []),
    ...(sendDifferences ? ['differences'] : []),
  ]
}

function describeAgent(agent: WorkspaceConfig['agent']): Described[] {
  const { id, command, env, allow, passEnvironment, containment } = agent
  const variables = Object.keys(env)
  const environment = variables.length === 0 ? '' : `, with ${variables.join(', ')} set`
  const run = runs(`Agent ${id}, for each open task${environment}`, 'attempt', command)
  const unasked = allow.includes('execute') ? ['It may run any command without asking.'] : []
  return [
    { ...run, warnings: [...run.warnings, ...dangersOfEnvironment(variables)] },
    ...grants('What the agent may do without asking', allow, unasked),
    ...grants('Secrets of your environment that it gets', passEnvironment, []),
    ...describeSandbox(containment),
  ]
}

function grants(purpose: string, entries: readonly string[], warnings: string[]): Described[] {
  if (entries.length === 0) return []
  return [{ purpose, command: [...entries], kind: 'grant', when: 'attempt', warnings }]
}

/** Adds the variables that a command sets, with their dangers, and the secrets that it gets. */
function withVariables(item: Described, { env = {}, envFrom = [] }: CheckVariables): Described {
  const set = Object.keys(env)
  const words = [
    ...(set.length === 0 ? [] : [`with ${set.join(', ')} set`]),
    ...(envFrom.length === 0 ? [] : [`gets ${envFrom.join(', ')} of your environment`]),
  ]
  return {
    ...item,
    purpose: [item.purpose, ...words].join(', '),
    warnings: [...item.warnings, ...dangersOfEnvironment(set)],
  }
}

function describeProbe(name: string, { source, env, envFrom }: ProbeConfig): Described {
  switch (source.kind) {
    case 'command':
      return withVariables(runs(`Probe ${name}`, 'measurement', source.command), { env, envFrom })
    case 'file':
      return {
        purpose: `Probe ${name}, reads the file`,
        command: [source.file],
        kind: 'file',
        when: 'measurement',
        warnings: dangersOfFile(source.file),
      }
    case 'url':
      return {
        purpose: `Probe ${name}, fetches the address`,
        command: [source.url],
        kind: 'url',
        when: 'measurement',
        warnings: dangersOfAddress(source.url),
      }
  }
}

function runs(purpose: string, when: Described['when'], command: readonly string[]): Described {
  return { purpose, command: [...command], kind: 'command', when, warnings: dangersOf(command) }
}
