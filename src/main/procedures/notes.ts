import { RequestProblem } from '../../api/request-problem.ts'
import type { Note } from '../../core/record/note.ts'
import type { WorkspaceRuntime } from '../host/workspace-runtime.ts'
import { taskViews } from '../host/workspace-views.ts'
import { os, workspaceOf } from './implementer.ts'

export const notes = {
  list: os.notes.list.handler(({ input, context }) => [...workspaceOf(input, context).ledger.state.notes]),
  add: os.notes.add.handler(async ({ input, context }) => {
    const runtime = workspaceOf(input, context)
    const note = await addNote(runtime, input.text, input.taskId ?? null)
    context.host.workspaces.changed(runtime)
    return note
  }),
}

/** Stores the operator's message for the next prompt. Rejects with `not-found` for a task that the contract does not have. */
async function addNote(runtime: WorkspaceRuntime, text: string, taskId: string | null): Promise<Note> {
  const { ledger, name } = runtime
  const known = taskId === null ? [] : await taskIds(runtime)
  if (taskId !== null && !known.includes(taskId)) {
    const tasks = known.length === 0 ? 'its contract has no task' : `its tasks are: ${known.join(', ')}`
    throw new RequestProblem('not-found', `There is no task ${JSON.stringify(taskId)} in ${name}; ${tasks}.`)
  }
  await ledger.append({ type: 'operator-noted', text, taskId })
  const [note] = ledger.state.notes
  if (note === undefined) throw new Error('A note that was recorded is in the state')
  return note
}

/**
 * Returns the tasks of the contract in effect, whether a heartbeat has read it or not; if it cannot be read, those of the last one read.
 */
export async function taskIds(runtime: WorkspaceRuntime): Promise<string[]> {
  const tasks = await taskViews(runtime).catch((error: unknown) => {
    if (!(error instanceof RequestProblem)) throw error
    return runtime.ledger.state.contract?.tasks ?? []
  })
  return tasks.map(({ id }) => id)
}
