import type { BlockedTask } from '../../../../core/read-model/blocked-task.ts'
import { SUGGESTION_KINDS, type SuggestionKind } from '../../../../core/vocabulary/unblock.ts'

/** Which of the blocked tasks are shown, and meant by what is done to all of them. */
export interface BlockedFilter {
  readonly text: string
  readonly level: BlockedTask['level'] | null
  readonly suggestion: SuggestionKind | null
}

export const NO_FILTER: BlockedFilter = { text: '', level: null, suggestion: null }

/** The tasks that a filter lets through, in their order; text is looked for in id, description and reason, in any case. */
export function filterBlocked(tasks: readonly BlockedTask[], filter: BlockedFilter): BlockedTask[] {
  const text = filter.text.trim().toLocaleLowerCase()
  return tasks.filter(
    (task) =>
      (filter.level === null || task.level === filter.level) &&
      (filter.suggestion === null || task.suggestion?.kind === filter.suggestion) &&
      [task.taskId, task.description, task.reason, task.cause ?? ''].some((words) =>
        words.toLocaleLowerCase().includes(text),
      ),
  )
}

/** The suggestions among the tasks, with how many there are of each. */
export function suggestionsOf(
  tasks: readonly BlockedTask[],
): { readonly kind: SuggestionKind; readonly count: number }[] {
  return SUGGESTION_KINDS.map((kind) => ({
    kind,
    count: tasks.filter(({ suggestion }) => suggestion?.kind === kind).length,
  })).filter(({ count }) => count > 0)
}
