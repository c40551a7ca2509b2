import { RequestProblem } from '../../api/request-problem.ts'
import type { WorkspaceRuntime } from '../host/workspace-runtime.ts'

/** Which of many workspaces are requested; if both are left out, all of them. */
interface PageInput {
  readonly limit?: number | undefined
  /** The id of the last one shown. */
  readonly after?: string | undefined
}

/** Returns the next ones in the order in which they were added. Throws a `RequestProblem` if the one to continue after does not exist. */
export function workspacePage(
  all: readonly WorkspaceRuntime[],
  { limit, after }: PageInput = {},
): readonly WorkspaceRuntime[] {
  const from = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1
  if (after !== undefined && from === 0) {
    throw new RequestProblem(
      'bad-request',
      `There is no workspace ${JSON.stringify(after)} to go on from. Start without it.`,
    )
  }
  return all.slice(from, limit === undefined ? undefined : from + limit)
}
