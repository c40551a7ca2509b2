import { runnableTasks } from './parse.ts'
import type { AcceptanceCriterion, Contract, TaskDefinition } from './types.ts'

/**
 * A sentence for each way in which `after` asks less than `before`; empty where it asks no less. Tasks are matched by id,
 * criteria by text, both as they would be run: tasks without an id or with one already taken do not count. Any change of
 * a hint counts, since whether it is looser cannot be decided. Added tasks and criteria and more attempts do not count, nor does a
 * checked criterion: that is how agents say how far they got, and nothing is verified by it.
 */
export function findWeakening(before: Contract, after: Contract): readonly string[] {
  const tasksAfter = new Map(runnableTasks(after).map((task) => [task.id, task]))
  return runnableTasks(before).flatMap((task) => {
    const now = tasksAfter.get(task.id)
    return now === undefined ? [`Task "${task.id}" was removed.`] : weakenedTask(task, now)
  })
}

function weakenedTask(before: TaskDefinition, after: TaskDefinition): string[] {
  const name = `Task "${before.id}"`
  const sentences: string[] = []
  if (before.required && !after.required) sentences.push(`${name}: required was made optional.`)
  if (before.verify !== after.verify) {
    sentences.push(`${name}: hint changed from "${before.verify}" to "${after.verify}".`)
  }
  if (!before.checked && after.checked) sentences.push(`${name}: its box was checked.`)
  if (after.maxAttempts < before.maxAttempts) {
    sentences.push(`${name}: max_attempts lowered from ${before.maxAttempts} to ${after.maxAttempts}.`)
  }
  if (before.mayChange.join('\n') !== after.mayChange.join('\n')) {
    sentences.push(
      `${name}: may_change changed from "${before.mayChange.join(', ')}" to "${after.mayChange.join(', ')}".`,
    )
  }
  if (before.when !== after.when) {
    sentences.push(`${name}: when changed from "${before.when ?? 'always'}" to "${after.when ?? 'always'}".`)
  }
  if (!before.writesNoFiles && after.writesNoFiles) sentences.push(`${name}: files was set to "never".`)
  return [...sentences, ...weakenedCriteria(name, before.criteria, after.criteria)]
}

function weakenedCriteria(
  name: string,
  before: readonly AcceptanceCriterion[],
  after: readonly AcceptanceCriterion[],
): string[] {
  // The same text may stand there twice: each one left answers for one that was there.
  const left = [...after]
  return before.flatMap(({ text, verify }) => {
    const same = left.findIndex((criterion) => criterion.text === text && criterion.verify === verify)
    const index = same < 0 ? left.findIndex((criterion) => criterion.text === text) : same
    if (index < 0) return [`${name}: criterion "${text}" was removed.`]
    const [now] = left.splice(index, 1)
    // A hint where there was none asks for more.
    if (verify === null || now === undefined || now.verify === verify) return []
    return [`${name}: the hint of criterion "${text}" changed from "${verify}" to "${now.verify ?? 'none'}".`]
  })
}
