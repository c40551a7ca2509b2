import { type ReportEntry, readReportEntries } from './report.ts'
import { namedTask } from './task-name.ts'

/** The note on a claim that was made by tool instead of in a block. */
export const BY_TOOL = 'reported by tool'

/** The outcome of a report made by tool: accepted, with notes on what is odd about it, or rejected, with what is missing. */
export type ToolReport =
  | { readonly ok: true; readonly entry: ReportEntry; readonly notes: readonly string[] }
  | { readonly ok: false; readonly problems: readonly string[] }

/**
 * Reads one report given to a tool, in the shape of a block's object and by the same schema. It must name one of `taskIds` and
 * say how the task ended. Values for `probeNames` are read first. Anything else of the wrong shape is left out of the claim and
 * named in `notes`. Pure; never throws.
 */
export function readToolReport(
  value: unknown,
  taskIds: readonly string[],
  probeNames: readonly string[],
): ToolReport {
  const isOneObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  const [entry, ...others] = (isOneObject && readReportEntries(value, probeNames, taskIds)) || []
  if (entry === undefined || others.length > 0)
    return { ok: false, problems: ['the report must be one object with task_id and status'] }
  const { taskId: named, claim } = entry
  const taskId = named === null ? undefined : namedTask(named, taskIds)
  const problems = [
    ...(named === null ? ['`task_id` is missing'] : []),
    ...(named !== null && taskId === undefined ? [`there is no task ${JSON.stringify(named)}`] : []),
    ...(taskId === undefined ? [`the tasks are: ${taskIds.join(', ')}`] : []),
    ...(claim.status === null ? claim.notes.filter((note) => note.startsWith('`status`')) : []),
  ]
  if (taskId === undefined || claim.status === null) return { ok: false, problems }
  const missing = claim.exitSignal === null ? ['`exit_signal` is missing'] : []
  return {
    ok: true,
    entry: { taskId, claim: { ...claim, notes: [...claim.notes, BY_TOOL] } },
    notes: [...claim.notes, ...missing],
  }
}
