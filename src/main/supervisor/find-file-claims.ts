import { resolve } from 'node:path'
import type { Claim } from '../../core/claims/types.ts'
import { taskHistory } from '../../core/record/fold-task-history.ts'
import type { WorkspaceState } from '../../core/record/state.ts'
import { matchFileClaims, relativePath } from '../../core/verification/file-claims.ts'
import type { FileClaimFinding } from '../../core/verification/types.ts'
import { lstat, type Stats } from '../files/names.ts'
import type { CycleContext, PlannedAttempt } from './cycle-context.ts'
import type { RunFindings } from './run-findings.ts'

/** Of so many missing files it is looked whether they were written again; more are no honest mistake. */
const MAX_LOOKED_AT = 50

/**
 * Holds the claimed files against the difference of the attempt. A file that was written again with the same bytes, or that an
 * earlier attempt of the task finished without being refuted, neither confirms nor contradicts; what a refuted one left is marked,
 * and so is what was finished in an attempt at another task, as by an agent that did the whole list at once.
 * Rejects only where the snapshotter does.
 */
export async function findFileClaims(
  { ports }: CycleContext,
  { task }: PlannedAttempt,
  { difference, startMarkMs, place }: RunFindings,
  claim: Claim,
): Promise<readonly FileClaimFinding[]> {
  const measurable = await ports.snapshotter.measurable(
    ports.directory,
    claim.files.map((file) => file.path),
    difference,
  )
  const found = matchFileClaims(claim.files, difference, measurable, ports.directory)
  const { finished = [], refuted = [] } = taskHistory(ports.ledger.state, task.id)
  const elsewhere = found.some(({ finding }) => finding === 'missing')
    ? finishedElsewhere(ports.ledger.state, task.id)
    : new Set()
  let looks = 0
  return Promise.all(
    found.map(async (finding): Promise<FileClaimFinding> => {
      if (finding.finding !== 'missing' || looks++ >= MAX_LOOKED_AT) return finding
      const path = relativePath(finding.path, ports.directory)
      const stats = await lstat(resolve(ports.directory, path)).catch(() => null)
      if (stats === null && (await liesBeside(path, place))) return unmeasurable(finding, OUTSIDE)
      if (stats === null)
        return [...finished, ...refuted].includes(path) || elsewhere.has(path)
          ? { ...finding, goneEarlier: true }
          : finding
      if (!stats.isFile()) return finding
      if (startMarkMs !== null && wasWrittenSince(stats, startMarkMs))
        return unmeasurable(finding, SAME_BYTES)
      if (finished.includes(path)) return unmeasurable(finding, FINISHED_BEFORE)
      if (refuted.includes(path)) return { ...finding, leftEarlier: true }
      return elsewhere.has(path) ? { ...finding, finishedElsewhere: true } : finding
    }),
  )
}

/** Anybody can set the time of writing, to one to come as well; that of the change nobody can. */
function wasWrittenSince({ mtimeMs, ctimeMs }: Stats, startMarkMs: number): boolean {
  return mtimeMs >= startMarkMs && ctimeMs >= startMarkMs
}

/** What changed in attempts at other tasks of the contract that were not refuted. */
function finishedElsewhere({ tasks }: Pick<WorkspaceState, 'tasks'>, taskId: string): ReadonlySet<string> {
  const others = Object.entries(tasks).filter(([id]) => id !== taskId)
  return new Set(others.flatMap(([, { finished = [] }]) => finished))
}

/** Whether a path that is not there in the workspace is one of its repository elsewhere. */
async function liesBeside(path: string, { top, prefix }: RunFindings['place']): Promise<boolean> {
  if (top === null || prefix === '' || path.startsWith(prefix)) return false
  return lstat(resolve(top, path)).then(
    (stats) => stats.isFile(),
    () => false,
  )
}

const OUTSIDE = 'it lies outside the workspace, elsewhere in its repository'
const SAME_BYTES = 'it was written again with the bytes that it had'
const FINISHED_BEFORE = 'it was finished in an earlier attempt'

function unmeasurable({ path }: FileClaimFinding, reason: string): FileClaimFinding {
  return { path, finding: 'unmeasurable', reason }
}
