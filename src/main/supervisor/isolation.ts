import type { WorkspaceConfig } from '../ports/workspace-config.ts'
import type { CycleContext } from './cycle-context.ts'
import type { IsolatedTree } from './workspace-ports.ts'

/** Returns the same heartbeat, to be run in a tree. */
export function inTree(context: CycleContext, tree: IsolatedTree): CycleContext {
  const { ports, config } = tree
  return {
    ...context,
    ports,
    config,
    agent: ports.createAgent(config),
    verifier: ports.createVerifier(config, { watch: context.meter?.watch('in-place') }),
  }
}

/** Returns whether attempts of this configuration work in separate trees. */
export function isIsolated({ workspace }: WorkspaceConfig): boolean {
  return workspace.isolation === 'worktree'
}
