import { implement } from '@orpc/server'
import { contract } from '../../api/api.ts'
import { RequestProblem } from '../../api/request-problem.ts'
import { toApiError } from '../api/problems.ts'
import { asAskedByApp, onlyWorkspace, refusalOf } from '../authority/request-origin.ts'
import { takesBy } from '../authority/takes.ts'
import type { HostParts } from '../host/host-parts.ts'
import type { WorkspaceRuntime } from '../host/workspace-runtime.ts'

/** What a request has in addition to its input. */
export interface RequestContext {
  readonly host: HostParts
  /** The workspace named outside the input (`?workspace=ID`); the input names the same one or none. */
  readonly workspace?: string
  /** True if the caller may only read: no procedure that changes anything is offered. */
  readonly readsOnly?: boolean
  /** Aborted when the server stops: open event streams end. */
  readonly stopping?: AbortSignal
}

/**
 * Implements the contract; procedures are added to it. Each is open only to the senders that it declares. What a handler throws becomes one
 * of the contract's errors: a `RequestProblem` with its message and data, anything else `INTERNAL`, with the cause only in the log.
 */
export const os = implement(contract)
  .$context<RequestContext>()
  .use(async ({ next, path, context, procedure }, input) => {
    try {
      const only = onlyWorkspace()
      const id = idIn(input) ?? context.workspace ?? only
      const refusal = await refusalOf({ takes: takesBy(procedure['~orpc'].meta), workspace: id })
      if (refusal !== null) throw new RequestProblem('forbidden', refusal)
      if (id !== undefined || !isAnsweredAtOnce(path)) await context.host.workspaces.whenOpen(id)
      return await asAskedByApp(() =>
        next({ context: { ...context, ...(only !== undefined && { workspace: only }) } }),
      )
    } catch (error) {
      throw toApiError(error, path.join('.'), context.host.log)
    }
  })

/** Procedures about the host, which answer even while workspaces are still being opened. */
const ANSWERED_AT_ONCE: ReadonlySet<string> = new Set([
  'status',
  'events',
  'permissions',
  'settings',
  'desktop',
  'setup',
  'workspaces.list',
  'workspaces.watch',
  'fleet',
])

function isAnsweredAtOnce(path: readonly string[]): boolean {
  return ANSWERED_AT_ONCE.has(path[0] ?? '') || ANSWERED_AT_ONCE.has(path.join('.'))
}

/** Returns what may name a workspace in an unvalidated input. A request that names none waits for all of them. */
function idIn(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null) return undefined
  const { workspace, id }: { workspace?: unknown; id?: unknown } = input
  const name = workspace ?? id
  return typeof name === 'string' ? name : undefined
}

/** Returns the id of the workspace that a request names; undefined if it names none. Throws a `RequestProblem` if it names two. */
export function named(
  input: { workspace?: string } | undefined,
  context: RequestContext,
): string | undefined {
  const [inside, beside] = [input?.workspace, context.workspace]
  if (inside !== undefined && beside !== undefined && inside !== beside)
    throw new RequestProblem('bad-request', `workspace: ${inside} in the body, ${beside} in the address.`)
  return inside ?? beside
}

/** Returns the workspace that a request is about: the one it names, else the only one. Throws a `RequestProblem` otherwise. */
export function workspaceOf(
  input: { workspace?: string } | undefined,
  context: RequestContext,
): WorkspaceRuntime {
  return context.host.workspaces.get(named(input, context))
}
