import type { Claim } from '../claims/types.ts'
import { matchFileClaims, relativePath } from '../verification/file-claims.ts'
import type { FileClaimFinding, FileDifference } from '../verification/types.ts'
import { type Asking, ask, together } from './asking.ts'
import type { WorkCase } from './case.ts'
import type { FileState } from './questions.ts'

/** Check at most this many missing files for a rewrite; a longer list is not an honest mistake. */
const MAX_LOOKED_AT = 50

/**
 * Compares the claimed files with the difference. A file that was rewritten with the same bytes, or that an earlier attempt at the task
 * finished without being refuted, neither confirms nor contradicts. What a refuted attempt left is marked, and so is what an attempt at
 * another task finished (as when an agent does the whole list at once).
 */
export function* findFileClaims(
  { root, history, run }: WorkCase,
  claim: Claim,
  difference: FileDifference,
): Asking<readonly FileClaimFinding[]> {
  if (claim.files.length === 0) return []
  const measurable = yield* ask({ kind: 'measurable', paths: claim.files.map((file) => file.path) })
  const found = matchFileClaims(claim.files, difference, measurable, root)
  const missing = found.filter(({ finding }) => finding === 'missing').slice(0, MAX_LOOKED_AT)
  if (missing.length === 0) return found
  const paths = missing.map(({ path }) => relativePath(path, root))
  const [states, finishedElsewhere] = yield* together([
    ask({ kind: 'file-states', paths }),
    ask({ kind: 'finished-elsewhere' }),
  ])
  const { finished, refuted } = history
  const elsewhere = new Set(finishedElsewhere)
  return found.map((finding): FileClaimFinding => {
    const at = missing.indexOf(finding)
    const path = paths[at]
    const state = states[at]
    if (path === undefined || state === undefined || state.kind === 'other') return finding
    if (state.kind === 'absent') {
      if (state.isBeside) return unmeasurable(finding, OUTSIDE)
      const isKnown = finished.includes(path) || refuted.includes(path) || elsewhere.has(path)
      return isKnown ? { ...finding, goneEarlier: true } : finding
    }
    if (wasWrittenSince(state, run.startMarkMs)) return unmeasurable(finding, SAME_BYTES)
    if (finished.includes(path)) return unmeasurable(finding, FINISHED_BEFORE)
    if (refuted.includes(path)) return { ...finding, leftEarlier: true }
    return elsewhere.has(path) ? { ...finding, finishedElsewhere: true } : finding
  })
}

/** Compares both times: any program can set the modification time, even to the future, but none can set the change time. */
function wasWrittenSince(
  { modifiedMs, changedMs }: Extract<FileState, { kind: 'file' }>,
  startMarkMs: number | null,
): boolean {
  return startMarkMs !== null && modifiedMs >= startMarkMs && changedMs >= startMarkMs
}

const OUTSIDE = 'it is outside the workspace, elsewhere in its repository'
const SAME_BYTES = 'it was written again with the bytes that it had'
const FINISHED_BEFORE = 'it was finished in an earlier attempt'

function unmeasurable({ path }: FileClaimFinding, reason: string): FileClaimFinding {
  return { path, finding: 'unmeasurable', reason }
}
