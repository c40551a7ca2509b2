import { foundView } from '../../core/read-model/found.ts'
import { blockedTasks, retryBlocked, unblock, unblockLevel, unblockMany } from '../host/unblock.ts'
import { undoUnblock } from '../host/undo-unblock.ts'
import type { WorkspaceRuntime } from '../host/workspace-runtime.ts'
import { taskViews } from '../host/workspace-views.ts'
import { os, type RequestContext, workspaceOf } from './implementer.ts'

export const tasks = {
  found: os.tasks.found.handler(({ context }) =>
    context.host.workspaces.all().map(({ id, ledger }) => foundView(id, ledger.state)),
  ),
  list: os.tasks.list.handler(({ input, context }) => taskViews(workspaceOf(input, context))),
  blocked: os.tasks.blocked.handler(({ input, context }) =>
    blockedTasks(workspaceOf(input, context), input.suggest),
  ),
  unblock: os.tasks.unblock.handler(({ input, context }) =>
    changing(input, context, (runtime) => unblock(runtime, input.id, input)),
  ),
  unblockLevel: os.tasks.unblockLevel.handler(({ input, context }) =>
    changing(input, context, (runtime) => unblockLevel(runtime, input.filter, input)),
  ),
  unblockMany: os.tasks.unblockMany.handler(({ input, context }) =>
    changing(input, context, (runtime) => unblockMany(runtime, input.ids, input)),
  ),
  undoUnblock: os.tasks.undoUnblock.handler(({ input, context }) =>
    changing(input, context, (runtime) => undoUnblock(runtime, input.ids, context.host.clock.nowMs())),
  ),
  retryBlocked: os.tasks.retryBlocked.handler(({ input, context }) =>
    changing(input, context, (runtime) => retryBlocked(runtime, input.maxAttempts)),
  ),
  sweep: os.tasks.sweep.handler(({ input, context }) =>
    changing(input, context, async (runtime) => [...(await runtime.sweep())]),
  ),
}

/** Carries out a change of a workspace's tasks, and notifies its clients. */
async function changing<T>(
  input: { workspace?: string | undefined },
  context: RequestContext,
  change: (runtime: WorkspaceRuntime) => Promise<T>,
): Promise<T> {
  const runtime = workspaceOf(input, context)
  const answer = await change(runtime)
  context.host.workspaces.changed(runtime)
  return answer
}
