import type { AttemptResult } from '../../core/record/events.ts'
import type { WorkspaceConfig } from '../ports/workspace-config.ts'
import type { CycleContext } from './cycle-context.ts'
import type { WorkspacePorts } from './workspace-ports.ts'

/** A tree of its own for one attempt, and everything that supervises the attempt there. */
export interface IsolatedTree {
  /** Bound to the tree: what the agent and checks run in, what is compared, what is guarded. */
  readonly ports: WorkspacePorts
  /** With what the tree adds to the environment of agent and checks. */
  readonly config: WorkspaceConfig
  /** The target's commit that it began with. */
  readonly tip: string
  /** The tree object of what was last looked at; `null`: nothing was. */
  readonly left: () => string | null
  /** Makes the files those of this tree object. */
  readonly checkOut: (tree: string) => Promise<void>
  readonly release: () => Promise<void>
}

/** Attempts in trees of their own, and the way of their work to the target. */
export interface Isolation {
  /** Rejects with a `RequestProblem` where the repository cannot be worked on in trees: nothing has run then. */
  begin(config: WorkspaceConfig): Promise<void>
  /** A tree at the target as it is now. Waits for a free one. */
  take(config: WorkspaceConfig, signal: AbortSignal): Promise<IsolatedTree>
  /** Keeps the work of an attempt, and queues it where it is verified. */
  handIn(tree: IsolatedTree, result: AttemptResult): Promise<void>
  /** Lands what can land. Never rejects. */
  land(signal: AbortSignal): Promise<void>
}

/** Returns the same heartbeat as it is run in a tree. */
export function inTree(context: CycleContext, tree: IsolatedTree): CycleContext {
  const { ports, config } = tree
  return {
    ...context,
    ports,
    config,
    agent: ports.createAgent(config),
    verifier: ports.createVerifier(config),
  }
}

/** Returns whether attempts of this configuration work in trees of their own. */
export function isIsolated({ workspace }: WorkspaceConfig): boolean {
  return workspace.isolation === 'worktree'
}
