import type { EventBody } from '../../core/record/events.ts'
import { type Ledger, withAppend } from '../ports/ledger.ts'
import type { TreeState } from '../ports/snapshotter.ts'

/**
 * The ledger, with the tree beside each verdict as git would commit it: by it the verdict can be attested, and found again from a commit.
 * Attempts that are recorded together share it.
 */
export function recordTrees(ledger: Ledger, treeNow: () => Promise<TreeState | null>): Ledger {
  return withAppend(ledger, async (...events) => {
    const isJudged = events.some(
      (event) =>
        event.type === 'attempt-finished' && event.result.verdict !== null && event.result.tree == null,
    )
    const tree = isJudged ? await treeNow() : null
    return ledger.append(...(tree === null ? events : events.map((event) => withTree(event, tree))))
  })
}

function withTree(event: EventBody, tree: TreeState): EventBody {
  if (event.type !== 'attempt-finished' || event.result.verdict === null || event.result.tree != null)
    return event
  return { ...event, result: { ...event.result, tree } }
}
