import type { TaskDefinition } from '../contract/types.ts'
import type { RecordedTask } from './events.ts'

/** Returns a task of the contract as a cycle records it; `isProposed`: an agent added it, and the operator has not accepted it. */
export function recordedTask(task: TaskDefinition, isProposed: boolean): RecordedTask {
  return {
    id: task.id,
    description: task.description,
    required: task.required,
    verify: task.verify,
    maxAttempts: task.maxAttempts,
    checked: task.checked,
    criteria: task.criteria.map(({ text, checked, verify }) => ({ text, checked, verify })),
    line: task.line,
    ...(isProposed && { proposed: true }),
  }
}
