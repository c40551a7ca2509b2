import type { AdaptiveTimeoutRules } from '../configuration/adaptive-timeout.ts'
import { type ComplexityKeywords, classifyComplexity } from '../pacing/complexity.ts'
import { planTimeout, type TimeoutPlan } from '../pacing/timeout.ts'
import type { ComplexityLevel } from '../vocabulary/complexity.ts'
import { taskHistory } from './fold-task-history.ts'
import type { WorkspaceState } from './state.ts'

/** The timeout of a task's next attempt, with the kind of work that it was chosen for. */
export interface NextTimeout extends TimeoutPlan {
  readonly level: ComplexityLevel
}

/** Returns the timeout of a task's next attempt, based on its text, its history and the durations of its kind of work. */
export function planNextTimeout(
  task: Parameters<typeof classifyComplexity>[0],
  state: Pick<WorkspaceState, 'tasks' | 'levelSeconds'>,
  rules: AdaptiveTimeoutRules & { readonly complexity: ComplexityKeywords },
): NextTimeout {
  const level = classifyComplexity(task, rules.complexity)
  const history = taskHistory(state, task.id)
  const plan = planTimeout(
    {
      level,
      timeouts: history.timeouts,
      taskDurations: history.completedSeconds,
      levelDurations: state.levelSeconds[level] ?? [],
      unblockSeconds: history.unblockSeconds,
    },
    rules,
  )
  return { ...plan, level }
}
