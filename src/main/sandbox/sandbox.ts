import { presetOfCommand } from '../../core/agents/compose-command.ts'
import type {
  Contain,
  ContainedRole,
  ContainmentAnswer,
  ContainmentPolicy,
  KeptApart,
  SandboxConfig,
  StartNeeds,
} from '../ports/containment.ts'
import type { AgentConfig } from '../ports/workspace-config.ts'
import { createContainment } from './contained-start.ts'
import type { Containing } from './find-means.ts'
import { type HostProxy, openHostProxy } from './host-proxy.ts'
import { policyFor, readsTheWorld, type Surroundings } from './policies.ts'
import { sweepHomes } from './private-home.ts'

/** What of an agent's configuration bears on how it is contained. */
export type SandboxedAgent = Pick<AgentConfig, 'preset' | 'passEnvironment' | 'containment'>

/** Contains what is started for workspaces. */
export interface Sandbox {
  /** Where the workspace's agent can write once it is started; `null`: wherever its user can. */
  writableBy(workspace: string, agent: SandboxedAgent): Promise<readonly string[] | null>
  /** The way to start the processes of one workspace, by the configuration in force. */
  of(workspace: string, agent: SandboxedAgent): Contain
  /** Ends what lets agents through to their hosts. */
  close(): Promise<void>
}

export interface SandboxOptions {
  readonly surroundings: Omit<Surroundings, 'workspaces'>
  /** The folders of all workspaces. */
  readonly workspaces: () => Promise<readonly string[]>
  /** What holds on this machine. */
  readonly containing: () => Promise<Containing>
  /** Told of each host that an agent asked for and may not reach. */
  readonly onRefusedHost?: (workspace: string, host: string) => void
  /** Something was left in the repository by which git would obey other settings than its own. */
  readonly onSetAside?: (workspace: string, path: string) => void
  /** Something of the repository is read-only though the work may need it; each is told once. */
  readonly onReadOnly?: (workspace: string, problem: string) => void
}

/** The sandbox of one machine and host. */
export function createSandbox({
  surroundings,
  workspaces,
  containing,
  onRefusedHost,
  onSetAside,
  onReadOnly,
}: SandboxOptions): Sandbox {
  const tellProblems = onceEach(onReadOnly)
  if (surroundings.homes !== undefined) void sweepHomes(surroundings.homes)
  const policyOf = async (
    workspace: string,
    { preset, passEnvironment, containment }: SandboxedAgent,
    role: ContainedRole,
  ): Promise<ReturnType<typeof policyFor>> => {
    const { hide, writable } = containment
    return policyFor(
      roleOf(role),
      workspace,
      { preset, hide, writable, passed: passEnvironment },
      { ...surroundings, workspaces: await workspaces() },
    )
  }
  /** One for each workspace and list: a list that is edited does not change under an agent that runs. */
  const proxies = new Map<string, Promise<HostProxy>>()
  const proxyOf = (workspace: string, hosts: readonly string[]): Promise<HostProxy> => {
    const key = JSON.stringify([workspace, hosts])
    const open = proxies.get(key) ?? openHostProxy(hosts, (host) => onRefusedHost?.(workspace, host))
    proxies.set(key, open)
    open.catch(() => proxies.delete(key))
    return open
  }
  return {
    close: async () => {
      const open = await Promise.allSettled(proxies.values())
      proxies.clear()
      await Promise.all(open.map((each) => (each.status === 'fulfilled' ? each.value.close() : null)))
    },
    writableBy: async (workspace, agent) => {
      if (agent.containment.sandbox === 'off' || (await containing()).found === null) return null
      return (await policyOf(workspace, agent, { kind: 'agent' })).writable
    },
    of: (workspace, agent) => {
      const { passEnvironment, containment } = agent
      return async (role, needs = {}) => {
        const apart = async (): Promise<KeptApart> => keptApart(await policyOf(workspace, agent, role))
        if (containment.sandbox === 'off') return withoutSandbox(containment, apart)
        const { found, cutsNetwork, failed } = await containing()
        if (found === null) return withoutMeans(containment, failed, apart)
        const network = await networkOf(role, workspace, containment, cutsNetwork)
        if (network !== 'all' && !(await cutsNetwork())) return refuseNetwork(found.means)
        const proxy = typeof network === 'string' ? null : await proxyOf(workspace, network).catch(String)
        if (typeof proxy === 'string') return refuseHosts(proxy)
        const policy = await policyOf(workspace, agent, role)
        tellProblems(workspace, policy.problems ?? [])
        return {
          kind: 'contained',
          apart,
          containment: createContainment(
            found,
            withNeeds(withNetwork(policy, network === 'all', proxy), needs),
            passEnvironment,
            (path) => onSetAside?.(workspace, path),
            needs.keepsHome === true,
          ),
        }
      }
    },
  }
}

type TellAll = (workspace: string, problems: readonly string[]) => void

function onceEach(tell: SandboxOptions['onReadOnly']): TellAll {
  const told = new Set<string>()
  return (workspace, problems) => {
    for (const problem of problems) {
      const key = JSON.stringify([workspace, problem])
      if (!told.has(key)) tell?.(workspace, problem)
      told.add(key)
    }
  }
}

/** What runs the workspace's code reaches no more than the agent who wrote it; git nothing, where that can be. */
async function networkOf(
  role: ContainedRole,
  workspace: string,
  { network, checksNetwork }: SandboxConfig,
  cutsNetwork: Containing['cutsNetwork'],
): Promise<SandboxConfig['network']> {
  switch (role.kind) {
    case 'agent':
      return network
    case 'check':
      return checksNetwork === 'all' || readsTheWorld(role.program, workspace) ? 'all' : network
    // It reads what the agent wrote, and could be told to send it on.
    case 'judge':
      return checksNetwork === 'all' ? 'all' : network
    case 'git':
      return (await cutsNetwork()) ? 'none' : 'all'
  }
}

/**
 * Without the proxy that lets these hosts through, the agent would be cut off, or let to all of them: neither was
 * asked for.
 */
function refuseHosts(problem: string): ContainmentAnswer {
  return {
    kind: 'refused',
    reason: `The proxy that lets the agent through to its hosts could not be started: ${problem}.`,
    remedy:
      'See that the temporary folder can be written to, or set network = "all" or "none" under [agent].',
  }
}

function roleOf(role: ContainedRole): Parameters<typeof policyFor>[0] {
  return role.kind === 'judge' ? { kind: 'judge', preset: presetOfCommand([role.program]) } : role
}

function withNetwork(
  policy: Omit<ContainmentPolicy, 'network'>,
  isOpen: boolean,
  proxy: HostProxy | null,
): ContainmentPolicy {
  if (proxy === null) return { ...policy, network: isOpen ? 'all' : 'none' }
  return { ...policy, network: { socket: proxy.socket }, readable: [...policy.readable, proxy.socket] }
}

function withNeeds(
  policy: ContainmentPolicy,
  { readable = [], writable = [] }: StartNeeds,
): ContainmentPolicy {
  return {
    ...policy,
    readable: [...policy.readable, ...readable],
    writable: [...policy.writable, ...writable],
  }
}

/** What a policy would hide, or show without letting it be changed. */
function keptApart({
  readable,
  hidden,
  neverSeen,
  unwanted = [],
}: Omit<ContainmentPolicy, 'network'>): KeptApart {
  return { unread: [...hidden, ...neverSeen], unwritten: [...readable, ...unwanted] }
}

function withoutSandbox({ network }: SandboxConfig, apart: () => Promise<KeptApart>): ContainmentAnswer {
  if (network === 'all') return { kind: 'open', apart }
  return {
    kind: 'refused',
    reason: 'The agent is to be kept off the network, and its sandbox is off.',
    remedy: 'Set sandbox = "auto", or network = "all", under [agent] in pulseward.toml.',
  }
}

function withoutMeans(
  { sandbox, network }: SandboxConfig,
  failed: Containing['failed'],
  apart: () => Promise<KeptApart>,
): ContainmentAnswer {
  if (sandbox === 'auto' && network === 'all') return { kind: 'open', apart }
  const tried = failed.map(({ means, problem }) => `${means}: ${problem}`).join('; ')
  const asked = sandbox === 'required' ? 'sandbox = "required"' : 'a network other than "all"'
  return {
    kind: 'refused',
    reason: `The agent is to run contained (${asked}), and nothing on this machine can contain it${tried === '' ? '' : ` (${tried})`}.`,
    remedy: `${takesMore()} Or set sandbox = "auto" and network = "all" under [agent] in pulseward.toml.`,
  }
}

function refuseNetwork(means: string): ContainmentAnswer {
  return {
    kind: 'refused',
    reason: `The agent is to be kept off the network, and ${means} cannot do that on this machine.`,
    remedy:
      'Allow network namespaces on this machine, or set network = "all" under [agent] in pulseward.toml.',
  }
}

/** What it takes on this platform to have a sandbox, in a sentence. */
export function takesMore(platform: NodeJS.Platform = process.platform): string {
  switch (platform) {
    case 'linux':
      return 'Install bubblewrap (apt install bubblewrap, dnf install bubblewrap). Where it is installed and refused, allow unprivileged user namespaces: on Ubuntu 24.04 and later by the AppArmor profile of bwrap (apt install apparmor-profiles), in a container by its options (seccomp and masked /proc).'
    case 'darwin':
      return 'The system’s sandbox-exec is missing or refused.'
    default:
      return 'There is no sandbox on this system yet: run the workspace in a container or a virtual machine.'
  }
}
