import type { BlockedTask } from '../../../../core/read-model/blocked-task.ts'
import { SUGGESTION_KINDS, type SuggestionKind } from '../../../../core/vocabulary/unblock.ts'

/** Which of the blocked tasks are shown, and affected by actions on all of them. */
export interface BlockedFilter {
  readonly text: string
  readonly level: BlockedTask['level'] | null
  readonly suggestion: SuggestionKind | null
}

export const NO_FILTER: BlockedFilter = { text: '', level: null, suggestion: null }

/** Returns the tasks that pass a filter, in order; searches id, description and reason, ignoring case. */
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

/** Returns the suggestions among the tasks, with the count of each. */
export function suggestionsOf(
  tasks: readonly BlockedTask[],
): { readonly kind: SuggestionKind; readonly count: number }[] {
  return SUGGESTION_KINDS.map((kind) => ({
    kind,
    count: tasks.filter(({ suggestion }) => suggestion?.kind === kind).length,
  })).filter(({ count }) => count > 0)
}
