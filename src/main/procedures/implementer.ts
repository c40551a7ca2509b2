import { implement } from '@orpc/server'
import { contract } from '../../api/contract.ts'
import { toApiError } from '../api/problems.ts'
import { asAskedByApp } from '../authority/request-origin.ts'
import type { HostParts } from '../host/host-parts.ts'
import type { WorkspaceRuntime } from '../host/workspace-runtime.ts'

/** What a request carries besides its input. */
export interface RequestContext {
  readonly host: HostParts
  /** The workspace named beside the input (`?workspace=ID`); one named in the input goes before it. */
  readonly workspace?: string
  /** Aborted when the server stops: open event streams end. */
  readonly stopping?: AbortSignal
}

/**
 * The contract with no procedure carried out yet. What a handler throws becomes the contract's errors: a `RequestProblem` with its message
 * and data, anything else `INTERNAL`, with the cause only in the log.
 */
export const os = implement(contract)
  .$context<RequestContext>()
  .use(async ({ next, path, context }) => {
    try {
      return await asAskedByApp(next)
    } catch (error) {
      throw toApiError(error, path.join('.'), context.host.log)
    }
  })

/** The id of the workspace that a request means; undefined where it names none. */
export function named(
  input: { workspace?: string } | undefined,
  context: RequestContext,
): string | undefined {
  return input?.workspace ?? context.workspace
}

/** The workspace that a request means: the one it names, else the only one. Throws a `RequestProblem` otherwise. */
export function workspaceOf(
  input: { workspace?: string } | undefined,
  context: RequestContext,
): WorkspaceRuntime {
  return context.host.workspaces.get(named(input, context))
}
