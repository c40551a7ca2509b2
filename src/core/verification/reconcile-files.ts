import type { AgentActivity, AgentEventOf } from '../activity/types.ts'
import { changedPaths } from './difference.ts'
import type { EvidenceContradiction, EvidenceRow, Reconciliation } from './evidence-row.ts'
import { relativePath } from './file-claims.ts'
import { isNamedBy } from './path-index.ts'
import { commandsOf, editsOf, hasOpaqueCalls } from './recorded-calls.ts'
import type { Sources } from './sources.ts'
import type { FileClaimFinding } from './types.ts'

/** Limit of unclaimed files shown beside the claimed ones. */
const MAX_UNCLAIMED = 10

/** Returns each claimed file as every source sees it, and the first few that were edited or changed without being claimed. */
export function reconcileFiles(sources: Sources): Reconciliation {
  const claimed = sources.fileClaims.map((file) => ofClaim(file, sources))
  return {
    rows: [...claimed.map(({ row }) => row), ...unclaimed(sources)],
    contradictions: claimed.flatMap(({ contradiction }) => contradiction ?? []),
  }
}

interface FileFinding {
  readonly row: EvidenceRow
  readonly contradiction: EvidenceContradiction | null
}

function ofClaim(file: FileClaimFinding, sources: Sources): FileFinding {
  const { activity, root } = sources
  const edits = activity === null ? [] : editsOf(activity, file.path, root)
  const contradiction = contradictionOf(file, edits, sources)
  const snapshots = { shown: 'changed', missing: 'unchanged', unmeasurable: 'cannot be measured' } as const
  return {
    row: {
      kind: 'file',
      subject: file.path,
      claimed: 'written',
      reported: reportedEdit(edits, sources),
      snapshot: snapshots[file.finding],
      measured: null,
      agrees:
        file.finding === 'shown' ? true : contradiction !== null || file.finding === 'missing' ? false : null,
    },
    contradiction,
  }
}

function contradictionOf(
  { path, finding }: FileClaimFinding,
  edits: readonly AgentEventOf<'edit'>[],
  { activity, reach }: Sources,
): EvidenceContradiction | null {
  if (finding === 'shown' || activity === null) return null
  const claims = `claims to have written ${path}, but`
  const last = edits.at(-1)
  if (last?.status === 'denied')
    return { kind: 'edit-denied', subject: path, reason: `${claims} its program was refused that edit` }
  if (last !== undefined || !reach.edits) return null
  // If the snapshot can't see the file, a command or a server's tool may have written it.
  const mayBeHidden = hasOpaqueCalls(activity) || commandsOf(activity).length > 0
  if (finding === 'unmeasurable' && mayBeHidden) return null
  return {
    kind: 'edit-unseen',
    subject: path,
    reason: `${claims} its program reports no edit of it${finding === 'missing' ? ', and it did not change' : ''}`,
  }
}

function reportedEdit(edits: readonly AgentEventOf<'edit'>[], { activity, reach }: Sources): string | null {
  const last = edits.at(-1)
  if (last !== undefined) {
    const words = {
      started: 'edit begun',
      succeeded: 'edited',
      failed: 'edit failed',
      denied: 'edit refused',
      cancelled: 'edit given up',
    }
    return words[last.status]
  }
  return activity === null || !reach.edits ? null : 'no edit'
}

function unclaimed(sources: Sources): readonly EvidenceRow[] {
  const { activity, root, difference, fileClaims } = sources
  const known = new Set(fileClaims.map(({ path }) => relativePath(path, root)))
  const changed = new Set(changedPaths(difference))
  const paths = new Set([...changed, ...editedPaths(activity, root)])
  return firstOf(paths, MAX_UNCLAIMED, (path) => !isNamedBy(path, known)).map((path) => ({
    kind: 'file',
    subject: path,
    claimed: null,
    reported: reportedEdit(activity === null ? [] : editsOf(activity, path, root), sources),
    snapshot: changed.has(path) ? 'changed' : 'unchanged',
    measured: null,
    agrees: null,
  }))
}

function firstOf(paths: Iterable<string>, most: number, isWanted: (path: string) => boolean): string[] {
  const found: string[] = []
  for (const path of paths) {
    if (found.length === most) break
    if (isWanted(path)) found.push(path)
  }
  return found
}

/** Returns the paths inside the workspace that the program reports as edited. */
function editedPaths(activity: AgentActivity | null, root: string): readonly string[] {
  const calls = activity?.calls ?? []
  return calls
    .flatMap((call) => (call.kind === 'edit' ? [relativePath(call.path, root)] : []))
    .filter((path) => path !== '' && !/^(?:\/|\.\.|[A-Za-z]:)/.test(path))
}
