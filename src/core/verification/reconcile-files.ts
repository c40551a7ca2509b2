import type { AgentActivity, AgentEventOf } from '../activity/types.ts'
import type { Accounts, EvidenceContradiction, EvidenceRow, Reconciliation } from './accounts.ts'
import { changedPaths } from './difference.ts'
import { relativePath } from './file-claims.ts'
import { commandsOf, editsOf, hasOpaqueCalls } from './recorded-calls.ts'
import type { FileClaimFinding } from './types.ts'

/** Files that nobody claimed, shown beside those that were. */
const MAX_UNCLAIMED = 10

/** Each claimed file, and the first few that were edited or changed without being claimed, as every account has them. */
export function reconcileFiles(accounts: Accounts): Reconciliation {
  const claimed = accounts.fileClaims.map((file) => ofClaim(file, accounts))
  return {
    rows: [...claimed.map(({ row }) => row), ...unclaimed(accounts)],
    contradictions: claimed.flatMap(({ contradiction }) => contradiction ?? []),
  }
}

interface FileFinding {
  readonly row: EvidenceRow
  readonly contradiction: EvidenceContradiction | null
}

function ofClaim(file: FileClaimFinding, accounts: Accounts): FileFinding {
  const { activity, root } = accounts
  const edits = activity === null ? [] : editsOf(activity, file.path, root)
  const contradiction = contradictionOf(file, edits, accounts)
  const snapshots = { shown: 'changed', missing: 'unchanged', unmeasurable: 'cannot be measured' } as const
  return {
    row: {
      kind: 'file',
      subject: file.path,
      claimed: 'written',
      reported: reportedEdit(edits, accounts),
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
  { activity, reach }: Accounts,
): EvidenceContradiction | null {
  if (finding === 'shown' || activity === null) return null
  const claims = `claims to have written ${path}, but`
  const last = edits.at(-1)
  if (last?.status === 'denied')
    return { kind: 'edit-denied', subject: path, reason: `${claims} its program was refused that edit` }
  if (last !== undefined || !reach.edits) return null
  // Where the snapshot cannot look, a command or a server's tool may have written the file.
  const mayBeHidden = hasOpaqueCalls(activity) || commandsOf(activity).length > 0
  if (finding === 'unmeasurable' && mayBeHidden) return null
  return {
    kind: 'edit-unseen',
    subject: path,
    reason: `${claims} its program reports no edit of it${finding === 'missing' ? ', and it did not change' : ''}`,
  }
}

function reportedEdit(edits: readonly AgentEventOf<'edit'>[], { activity, reach }: Accounts): string | null {
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

function unclaimed(accounts: Accounts): readonly EvidenceRow[] {
  const { activity, root, difference, fileClaims } = accounts
  const known = fileClaims.map(({ path }) => relativePath(path, root))
  const changed = new Set(changedPaths(difference))
  const paths = new Set([...changed, ...editedPaths(activity, root)])
  return [...paths]
    .filter(
      (path) =>
        !known.some((name) => name === path || path.endsWith(`/${name}`) || path.startsWith(`${name}/`)),
    )
    .slice(0, MAX_UNCLAIMED)
    .map((path) => ({
      kind: 'file',
      subject: path,
      claimed: null,
      reported: reportedEdit(activity === null ? [] : editsOf(activity, path, root), accounts),
      snapshot: changed.has(path) ? 'changed' : 'unchanged',
      measured: null,
      agrees: null,
    }))
}

/** Paths inside the workspace that the program reports to have edited. */
function editedPaths(activity: AgentActivity | null, root: string): readonly string[] {
  const calls = activity?.calls ?? []
  return calls
    .flatMap((call) => (call.kind === 'edit' ? [relativePath(call.path, root)] : []))
    .filter((path) => path !== '' && !/^(?:\/|\.\.|[A-Za-z]:)/.test(path))
}
