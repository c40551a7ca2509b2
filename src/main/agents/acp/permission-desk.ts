import { askPolicy, type ToolPath, type ToolRequest } from '../../../core/activity/grants.ts'
import type { AgentEvent } from '../../../core/activity/types.ts'
import type { PermissionDecision } from '../../../core/vocabulary/permission.ts'
import type { PermissionQuestion } from '../../ports/agent-runner.ts'
import type { AgentConfig } from '../../ports/workspace-config.ts'
import { bounded } from './bounded.ts'
import type { ToolCall } from './tool-calls.ts'
import { resolvePath } from './workspace-paths.ts'

export interface DeskOptions {
  readonly config: Pick<AgentConfig, 'allow' | 'deny' | 'permissionTimeoutSeconds' | 'writesUnasked'>
  readonly directory: string
  readonly emit: (event: AgentEvent) => void
  /** Omitted if no one can be asked. */
  readonly askOperator?: (
    question: PermissionQuestion,
    timeoutMs: number,
    signal: AbortSignal,
  ) => Promise<PermissionDecision | 'unattended'>
}

/** What permission is requested for, apart from the agent's own description. */
export interface Wish extends ToolRequest {
  readonly tool: string
  readonly title: string
}

/**
 * Decides what an agent may do: by `deny`, `allow`, then the operator, if there is one. Each decision is an event. If an agent asks first
 * and then has us do it, the decision is made once; what was refused stays refused.
 */
export class PermissionDesk {
  readonly #options: DeskOptions
  /** Real paths of files that the agent was denied. */
  readonly #refusedPaths = new Set<string>()
  /** Real paths of files that it was allowed to change when it asked. */
  readonly #allowedPaths = new Set<string>()
  readonly #commands = new Map<string, PermissionDecision>()

  constructor(options: DeskOptions) {
    this.#options = options
  }

  /** Returns what a tool call requests: the things that it names, and where its paths really lead. */
  async wishOf(call: ToolCall): Promise<Wish> {
    const named = [...call.paths.keys(), ...(call.workingDirectory === null ? [] : [call.workingDirectory])]
    return {
      kind: call.kind,
      tool: call.tool,
      title: call.title,
      command: call.kind === 'execute' ? call.command : null,
      address: call.address,
      paths: await Promise.all(named.map((path) => resolvePath(this.#options.directory, path))),
    }
  }

  /** Returns the decision of the policy or the operator. Resolves with `expired` if `signal` aborts before; never rejects. */
  async decide(wish: Wish, signal: AbortSignal): Promise<PermissionDecision> {
    const { config, askOperator, emit } = this.#options
    const answer = askPolicy(wish, config.allow, config.deny)
    const asked = { kind: 'permission', tool: wish.kind, target: targetOf(wish) } as const
    if (answer.kind !== 'open') {
      emit({
        ...asked,
        decision: answer.kind,
        by: 'policy',
        grant: answer.kind === 'denied' ? null : answer.entry,
      })
      return this.#remember(wish, answer.kind)
    }
    const question = {
      tool: wish.kind,
      target: asked.target,
      title: bounded(wish.title),
      grant: answer.grant,
    }
    const timeoutMs = config.permissionTimeoutSeconds * 1000
    const said = (await askOperator?.(question, timeoutMs, signal)) ?? 'unattended'
    const decision = said === 'unattended' ? 'denied' : said
    emit({ ...asked, decision, by: said === 'unattended' ? 'policy' : 'operator', grant: answer.grant })
    return this.#remember(wish, decision)
  }

  /**
   * Returns the earlier decision about this command, made when the agent asked; a permission is valid for one run. `undefined`: it did not
   * ask.
   */
  spendDecision(command: string): PermissionDecision | undefined {
    const decision = this.#commands.get(command)
    if (decision === 'allowed') this.#commands.delete(command)
    return decision
  }

  /**
   * Returns whether this change of a file is allowed, by the earlier decision if the agent asked, otherwise by a new one. Never rejects.
   */
  async mayChange(wish: Wish, place: ToolPath, signal: AbortSignal): Promise<boolean> {
    const key = place.inside ?? place.given
    if (this.#refusedPaths.has(key)) return false
    const { config } = this.#options
    if (this.isDenied(wish)) return false
    if (config.writesUnasked === true || this.#allowedPaths.has(key)) return true
    if (askPolicy(wish, config.allow, config.deny).kind === 'allowed') return true
    return (await this.decide(wish, signal)) === 'allowed'
  }

  /** Returns whether an entry of `deny` matches; then records the refusal. */
  isDenied(wish: Wish): boolean {
    const { config } = this.#options
    if (askPolicy(wish, [], config.deny).kind !== 'denied') return false
    this.refuse(wish)
    return true
  }

  /** Records a refusal without asking anyone. */
  refuse(wish: Wish): void {
    this.#options.emit({
      kind: 'permission',
      tool: wish.kind,
      target: targetOf(wish),
      decision: 'denied',
      by: 'policy',
      grant: null,
    })
  }

  #remember(wish: Wish, decision: PermissionDecision): PermissionDecision {
    if (wish.command !== null) this.#commands.set(wish.command, decision)
    if (wish.kind === 'read' || wish.kind === 'search') return decision
    for (const { inside, given } of wish.paths) {
      const [into, outOf] =
        decision === 'allowed'
          ? [this.#allowedPaths, this.#refusedPaths]
          : [this.#refusedPaths, this.#allowedPaths]
      outOf.delete(inside ?? given)
      into.add(inside ?? given)
    }
    return decision
  }
}

/** Returns the command, the files or the address in the agent's words; its own title if it names none. */
function targetOf({ command, paths, address, title }: Wish): string {
  const files = paths.map(({ given }) => given).join(', ')
  return bounded(command ?? (files || (address ?? title)))
}
