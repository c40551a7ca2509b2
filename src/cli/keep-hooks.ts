import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import {
  type HookedAgent,
  SESSION_AGENT_NAMES,
  type SessionAgent,
  type SessionMode,
} from '../core/vocabulary/session.ts'
import { readRegistry } from '../main/config/registry.ts'
import { textPatch } from '../main/files/text-patch.ts'
import { ownNode } from '../main/process/own-node.ts'
import { projectsOfWorkspace } from '../main/sessions/hook-index.ts'
import { installReviewed } from '../main/sessions/install-reviewed.ts'
import {
  type HookStatus,
  hookStatus,
  type InstallationPlace,
  planInstall,
  planUninstall,
  setMode,
  uninstallHook,
} from '../main/sessions/installation.ts'
import { isUsed } from '../main/sessions/programs.ts'

/*
 * Hooks in agents' programs on this machine, without a host: only the operator's own environment says where each program keeps its
 * settings, and a host started elsewhere may not know it.
 */

const MAX_PATCH_BYTES = 64 * 1024

export interface PlannedHook {
  readonly agent: HookedAgent
  readonly name: string
  readonly path: string
  /** The unified difference; `null`: nothing changes, or it is too long to show. */
  readonly patch: string | null
  readonly changes: boolean
}

export interface HookKeeperOptions {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly sampleDirectory: string
  readonly version: string
}

export type { HookStatus }
export type HookKeeper = ReturnType<typeof hookKeeper>

export function hookKeeper(dataDirectory: string, options: HookKeeperOptions) {
  const { environment, sampleDirectory, version } = options
  const home = environment.HOME || homedir()
  const place: InstallationPlace = {
    ...{ home, environment, dataDirectory },
    script: join(dirname(sampleDirectory), '../out/main/hook.js'),
    node: ownNode(),
    nowMs: Date.now,
  }
  const planned = async (agent: HookedAgent, plan: typeof planInstall): Promise<PlannedHook> => {
    const { path, before, after } = await plan(place, agent)
    const patch = textPatch(path, before ?? '', after ?? '', MAX_PATCH_BYTES)
    return { agent, name: SESSION_AGENT_NAMES[agent], path, patch, changes: before !== after }
  }
  return {
    /** True if the program has settings on this machine. */
    isUsed: (agent: HookedAgent): Promise<boolean> => isUsed(agent, place),
    planInstall: (agent: HookedAgent) => planned(agent, planInstall),
    planUninstall: (agent: HookedAgent) => planned(agent, planUninstall),
    /** Returns what the operator still has to do, as a sentence; `null`: nothing. */
    install: (agent: HookedAgent, mode: SessionMode | undefined): Promise<string | null> =>
      installReviewed(place, agent, { mode, version }),
    setMode: (agent: SessionAgent, mode: SessionMode): Promise<void> => setMode(place, agent, mode),
    uninstall: async (agent: HookedAgent): Promise<void> => void (await uninstallHook(place, agent)),
    /** Sends a false and an honest claim through each program's hook, to a separate host in a temporary folder. */
    test: async (agents: readonly HookedAgent[], signal: AbortSignal) => {
      const { tryHook } = await import('./try-hook.ts')
      const results: Awaited<ReturnType<typeof tryHook>>[] = []
      for (const agent of agents)
        results.push(await tryHook(agent, place, { sampleDirectory, version }, signal))
      return results
    },
    status: async (): Promise<readonly HookStatus[]> => {
      const { workspaces } = await readRegistry(dataDirectory, true).catch(() => ({ workspaces: [] }))
      return hookStatus(
        place,
        workspaces.flatMap(({ path }) => projectsOfWorkspace(path)),
      )
    },
  }
}
