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

/** The parts of an agent's configuration that affect its sandbox. */
export type SandboxedAgent = Pick<AgentConfig, 'preset' | 'passEnvironment' | 'containment'>

/** Sandboxes the processes of workspaces. */
export interface Sandbox {
  /** Returns the paths that the workspace's agent can write to once it is started; `null`: wherever its user can. */
  writableBy(workspace: string, agent: SandboxedAgent): Promise<readonly string[] | null>
  /** Returns how to start one workspace's processes with its current configuration. */
  of(workspace: string, agent: SandboxedAgent): Contain
  /** Stops the proxies for allowed hosts. */
  close(): Promise<void>
}

export interface SandboxOptions {
  readonly surroundings: Omit<Surroundings, 'workspaces'>
  /** The folders of all workspaces. */
  readonly workspaces: () => Promise<readonly string[]>
  /** Which sandbox works on this machine. */
  readonly containing: () => Promise<Containing>
  /** Called for each blocked host that an agent requested. */
  readonly onRefusedHost?: (workspace: string, host: string) => void
  /** Called when something was left in the repository that would make git obey other settings. */
  readonly onSetAside?: (workspace: string, path: string) => void
  /** Called once for each part of the repository that is read-only although the work may need it. */
  readonly onReadOnly?: (workspace: string, problem: string) => void
}

/** Creates the sandbox for one machine and host. */
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
  /** One per workspace and list: editing a list does not affect a running agent. */
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
        const policy = await policyOf(workspace, agent, role)
        const network = await networkOf(role, policy.writable, containment, cutsNetwork)
        if (network !== 'all' && !(await cutsNetwork())) return refuseNetwork(found.means)
        const proxy = typeof network === 'string' ? null : await proxyOf(workspace, network).catch(String)
        if (typeof proxy === 'string') return refuseHosts(proxy)
        tellProblems(workspace, policy.problems ?? [])
        return {
          kind: 'contained',
          apart,
          containment: createContainment(
            found,
            withNeeds(withNetwork(policy, network, proxy), needs),
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

/**
 * Returns the network for a process. One that runs the workspace's code gets at most the network of the agent that wrote it; git gets none,
 * if possible.
 */
async function networkOf(
  role: ContainedRole,
  writable: readonly string[],
  { network, checksNetwork }: SandboxConfig,
  cutsNetwork: Containing['cutsNetwork'],
): Promise<SandboxConfig['network']> {
  switch (role.kind) {
    case 'agent':
      return network
    case 'check':
      return checksNetwork === 'all' || readsTheWorld(role, writable) ? 'all' : network
    // It reads the agent's output, which could instruct it to send data.
    case 'judge':
      return checksNetwork === 'all' ? 'all' : network
    case 'git':
      return (await cutsNetwork()) ? 'none' : 'all'
  }
}

/** Refuses to start: without the proxy the agent would have no network or all of it, and neither was configured. */
function refuseHosts(problem: string): ContainmentAnswer {
  return {
    kind: 'refused',
    reason: `The proxy for the agent's allowed hosts could not be started: ${problem}.`,
    remedy:
      'Make sure that the temporary folder is writable, or set network = "all" or "none" under [agent].',
  }
}

function roleOf(role: ContainedRole): Parameters<typeof policyFor>[0] {
  return role.kind === 'judge' ? { kind: 'judge', preset: presetOfCommand([role.program]) } : role
}

function withNetwork(
  policy: Omit<ContainmentPolicy, 'network'>,
  network: SandboxConfig['network'],
  proxy: HostProxy | null,
): ContainmentPolicy {
  if (proxy === null) return { ...policy, network: network === 'all' ? 'all' : 'none' }
  const hosts = typeof network === 'string' ? [] : network
  return { ...policy, network: { socket: proxy.socket, hosts }, readable: [...policy.readable, proxy.socket] }
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

/** Paths that a policy hides, or shows read-only. */
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
    reason: 'The agent must run without network, but its sandbox is off.',
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
    reason: `The agent must run in a sandbox (${asked}), but none works on this machine${tried === '' ? '' : ` (${tried})`}.`,
    remedy: `${takesMore()} Or set sandbox = "auto" and network = "all" under [agent] in pulseward.toml.`,
  }
}

function refuseNetwork(means: string): ContainmentAnswer {
  return {
    kind: 'refused',
    reason: `The agent must run without network, but ${means} can't do that on this machine.`,
    remedy:
      'Allow network namespaces on this machine, or set network = "all" under [agent] in pulseward.toml.',
  }
}

/** Returns what a sandbox needs on this platform, as a sentence. */
export function takesMore(platform: NodeJS.Platform = process.platform): string {
  switch (platform) {
    case 'linux':
      return "Install bubblewrap (apt install bubblewrap, dnf install bubblewrap). If it is installed but refused, allow unprivileged user namespaces: on Ubuntu 24.04 and later with bwrap's AppArmor profile (apt install apparmor-profiles), in a container with its options (seccomp and masked /proc)."
    case 'darwin':
      return 'The system’s sandbox-exec is missing or refused.'
    default:
      return 'There is no sandbox on this system yet: run the workspace in a container or a virtual machine.'
  }
}
