import type { BlockedTask } from '../../../../core/read-model/blocked-task.ts'

/** Which of the blocked tasks are shown, and meant by what is done to all of them. */
export interface BlockedFilter {
  readonly text: string
  readonly level: BlockedTask['level'] | null
  readonly suggestion: SuggestionKind | null
}

export type SuggestionKind = NonNullable<BlockedTask['suggestion']>['kind']

export const NO_FILTER: BlockedFilter = { text: '', level: null, suggestion: null }

/** What is suggested, as a choice says it. */
export const SUGGESTION_WORDS: Readonly<Record<SuggestionKind, string>> = {
  already_done: 'check holds now',
  increase_timeout: 'more time',
  tighten_hint: 'a tighter hint',
  skip_subtasks: 'fewer criteria',
  fix_gate: 'a gate to fix',
  manual_review: 'a look',
}

/** The tasks that a filter lets through, in their order; text is looked for in id, description and reason, in any case. */
export function filterBlocked(tasks: readonly BlockedTask[], filter: BlockedFilter): BlockedTask[] {
  const text = filter.text.trim().toLocaleLowerCase()
  return tasks.filter(
    (task) =>
      (filter.level === null || task.level === filter.level) &&
      (filter.suggestion === null || task.suggestion?.kind === filter.suggestion) &&
      [task.taskId, task.description, task.reason].some((words) => words.toLocaleLowerCase().includes(text)),
  )
}

/** The suggestions among the tasks, with how many there are of each. */
export function suggestionsOf(
  tasks: readonly BlockedTask[],
): { readonly kind: SuggestionKind; readonly count: number }[] {
  const kinds = Object.keys(SUGGESTION_WORDS) as SuggestionKind[]
  return kinds
    .map((kind) => ({ kind, count: tasks.filter(({ suggestion }) => suggestion?.kind === kind).length }))
    .filter(({ count }) => count > 0)
}
