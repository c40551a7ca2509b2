import { RequestProblem } from '../../api/request-problem.ts'
import type { WorkspaceRuntime } from '../host/workspace-runtime.ts'

/** Which of many workspaces are asked for; neither of the two: all of them. */
interface PageInput {
  readonly limit?: number | undefined
  /** The id of the last one shown. */
  readonly after?: string | undefined
}

/** The next ones in the order in which they were added. Throws a `RequestProblem` where the one to go on from is not there. */
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
