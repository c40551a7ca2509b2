import { applyEdit } from '../contract/edit.ts'
import { parseContract, slugify } from '../contract/parse.ts'

/** A task as another agent loop wrote it. */
export interface ForeignTask {
  readonly id: string
  readonly description: string
  readonly checked: boolean
  /** Why it was blocked there, empty if no reason was given; `null` if it was not blocked. */
  readonly blocked: string | null
  readonly criteria: readonly string[]
  readonly dependsOn: readonly string[]
}

export interface TakenTasks {
  /** A contract with the tasks that could be written. */
  readonly contract: string
  readonly count: number
  /** What could not be imported, or not unchanged: one sentence each. */
  readonly left: readonly string[]
}

const MAX_TASKS = 500
const MAX_CRITERIA = 100

/**
 * Writes a contract with the tasks. A finished task is imported unchecked, because the other loop took the agent's word for it; it is
 * verified here. A blocked one waits (`when: false`) until the operator removes that. What can't be written is named in `left` and doesn't
 * affect the other tasks.
 */
export function contractOf(tasks: readonly ForeignTask[], noticed: readonly string[]): TakenTasks {
  let contract = '# Imported\n\n## Tasks\n'
  const left = [...noticed]
  const taken = new Set<string>()
  for (const task of tasks) {
    if (taken.size === MAX_TASKS) {
      left.push(`Tasks after the first ${MAX_TASKS}.`)
      break
    }
    const id = freeId(task.id, taken)
    const added = applyEdit(contract, { kind: 'add', task: { id, description: oneLine(task.description) } })
    if (!added.ok) {
      left.push(`"${oneLine(task.description).slice(0, 80)}": ${added.reason}`)
      continue
    }
    taken.add(id)
    contract = withCriteria(added.text, task.criteria, id, left)
    if (task.checked) left.push(`That "${id}" was finished: it will be verified again.`)
    if (task.dependsOn.length > 0)
      left.push(`That "${id}" depends on ${task.dependsOn.join(', ')}: order the tasks instead.`)
    if (task.blocked === null || task.checked) continue
    const waits = applyEdit(contract, {
      kind: 'set',
      task: taken.size - 1,
      change: { field: 'when', value: 'false' },
    })
    if (waits.ok) contract = waits.text
    left.push(
      `That "${id}" was blocked${task.blocked === '' ? '' : ` (${oneLine(task.blocked).slice(0, 120)})`}: it waits until you remove its \`when: false\`.`,
    )
  }
  return { contract, count: taken.size, left }
}

function withCriteria(text: string, criteria: readonly string[], id: string, left: string[]): string {
  let written = text
  let count = 0
  for (const criterion of criteria.map(oneLine).filter((one) => one !== '')) {
    if (count === MAX_CRITERIA) {
      left.push(`Criteria of "${id}" after the first ${MAX_CRITERIA}.`)
      break
    }
    const next = `${written.trimEnd()}\n  - [ ] ${criterion}\n`
    const task = parseContract(next).tasks.find((each) => each.id === id)
    if (task?.criteria.length === count + 1) {
      written = next
      count += 1
    } else left.push(`A criterion of "${id}": "${criterion.slice(0, 80)}".`)
  }
  return written
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

function freeId(wanted: string, taken: ReadonlySet<string>): string {
  const id = slugify(wanted.replace(/[^\p{L}\p{N}\s._-]/gu, ' ')) || 'task'
  if (!taken.has(id)) return id
  for (let number = 2; ; number += 1) if (!taken.has(`${id}_${number}`)) return `${id}_${number}`
}
