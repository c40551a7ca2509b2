import { runnableTasks } from './parse.ts'
import type { AcceptanceCriterion, Contract, TaskDefinition } from './types.ts'

/**
 * A sentence for each way in which `after` asks less than `before`; empty where it asks no less. Tasks are matched by id,
 * criteria by text, both as they would be run: tasks without an id or with one already taken do not count. Any change of
 * a hint counts, since whether it is looser cannot be decided. Added tasks and criteria and more attempts do not count.
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
  if (!before.checked && after.checked) sentences.push(`${name}: its box was ticked.`)
  if (after.maxAttempts < before.maxAttempts) {
    sentences.push(`${name}: max_attempts lowered from ${before.maxAttempts} to ${after.maxAttempts}.`)
  }
  return [...sentences, ...weakenedCriteria(name, before.criteria, after.criteria)]
}

function weakenedCriteria(
  name: string,
  before: readonly AcceptanceCriterion[],
  after: readonly AcceptanceCriterion[],
): string[] {
  // The same text may stand there twice: each one left answers for one that was there, open ones for open ones first.
  const left = after.toSorted(openFirst)
  return before.toSorted(openFirst).flatMap(({ text, checked }) => {
    const index = left.findIndex((criterion) => criterion.text === text)
    if (index < 0) return [`${name}: criterion "${text}" was removed.`]
    const [match] = left.splice(index, 1)
    return checked !== true && match?.checked === true ? [`${name}: criterion "${text}" was ticked.`] : []
  })
}

function openFirst(one: AcceptanceCriterion, other: AcceptanceCriterion): number {
  return Number(one.checked === true) - Number(other.checked === true)
}
