import { mayHaveRunChecks } from '../../core/record/costs.ts'
import type { EventBody } from '../../core/record/events.ts'
import type { RecordingStep } from '../ports/ledger.ts'
import type { TreeState } from '../ports/snapshotter.ts'

/**
 * Records with each verdict the tree that git would commit, so that the verdict can be attested and found from a commit. Attempts that are
 * recorded together share it.
 */
export function recordTrees(treeNow: (hasRun: boolean) => Promise<TreeState | null>): RecordingStep {
  return {
    mark: async (events) => {
      const judged = events.flatMap((event) =>
        event.type === 'attempt-finished' && event.result.verdict !== null && event.result.tree == null
          ? [event.result]
          : [],
      )
      const hasRun = judged.some(({ costs }) => mayHaveRunChecks(costs))
      const tree = judged.length > 0 ? await treeNow(hasRun) : null
      return tree === null ? events : events.map((event) => withTree(event, tree))
    },
  }
}

function withTree(event: EventBody, tree: TreeState): EventBody {
  if (event.type !== 'attempt-finished' || event.result.verdict === null || event.result.tree != null)
    return event
  return { ...event, result: { ...event.result, tree } }
}
