import type { EventBody } from '../../core/record/events.ts'
import type { RecordingStep } from '../ports/ledger.ts'
import type { TreeState } from '../ports/snapshotter.ts'

/**
 * Records with each verdict the tree that git would commit, so that the verdict can be attested and found from a commit. Attempts that are
 * recorded together share it.
 */
export function recordTrees(treeNow: () => Promise<TreeState | null>): RecordingStep {
  return {
    mark: async (events) => {
      const isJudged = events.some(
        (event) =>
          event.type === 'attempt-finished' && event.result.verdict !== null && event.result.tree == null,
      )
      const tree = isJudged ? await treeNow() : null
      return tree === null ? events : events.map((event) => withTree(event, tree))
    },
  }
}

function withTree(event: EventBody, tree: TreeState): EventBody {
  if (event.type !== 'attempt-finished' || event.result.verdict === null || event.result.tree != null)
    return event
  return { ...event, result: { ...event.result, tree } }
}
