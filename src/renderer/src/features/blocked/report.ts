import { durationWords } from '../../../../core/pacing/duration-words.ts'
import type { SweptTask, UnblockReport } from '../../../../core/read-model/blocked-task.ts'
import { counted } from '../../format/counted.ts'

/** The result of an action on several blocked tasks. */
export interface Report {
  readonly summary: string
  readonly lines: readonly { readonly taskId: string; readonly words: string }[]
}

/** Returns `2 tasks unblocked`, or that none was. */
export function unblockedInWords(count: number): string {
  return count === 0 ? 'No task unblocked' : `${counted(count, 'task')} unblocked`
}

/** Reports which tasks were unblocked, each with the timeout of its next attempt, and which were refused, each with the reason. */
export function unblockReport({ unblocked, refused }: UnblockReport): Report {
  const words = unblockedInWords(unblocked.length)
  return {
    summary: refused.length === 0 ? `${words}.` : `${words}, ${refused.length} not.`,
    lines: [
      ...refused.map(({ taskId, reason }) => ({ taskId, words: `Not unblocked. ${reason}` })),
      ...unblocked.map(({ taskId, timeoutSeconds, timeoutReason }) => ({
        taskId,
        words: `Unblocked, the next attempt may take ${durationWords(timeoutSeconds * 1000)}: ${timeoutReason}`,
      })),
    ],
  }
}

/** Reports which checks pass now; names the others only if they could not be measured. */
export function sweepReport(swept: readonly SweptTask[]): Report {
  const holding = swept.filter(({ holds }) => holds === true)
  const unmeasured = swept.filter(({ holds }) => holds === null)
  const found =
    holding.length === 0 ? 'none passes' : `${holding.length} pass${holding.length === 1 ? 'es' : ''} now`
  const unknown = unmeasured.length === 0 ? '' : `, ${unmeasured.length} cannot be measured`
  return {
    summary: `${counted(swept.length, 'task')} checked without running the agent: ${found}${unknown}.`,
    lines: [...holding, ...unmeasured].map(({ taskId, reason }) => ({ taskId, words: reason })),
  }
}
