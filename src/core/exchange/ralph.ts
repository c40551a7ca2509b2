import { z } from 'zod'
import { applyEdit } from '../contract/edit.ts'
import { parseContract, slugify } from '../contract/parse.ts'
import { parseJson } from './history.ts'

/** A task as another loop wrote it down. */
interface ForeignTask {
  readonly id: string
  readonly description: string
  readonly checked: boolean
  readonly criteria: readonly string[]
}

export interface TakenTasks {
  /** A contract with the tasks that could be written. */
  readonly contract: string
  readonly count: number
  /** What could not, a sentence each. */
  readonly left: readonly string[]
}

const MAX_TASKS = 500

const line = z.string().max(10_000)

const storiesSchema = z.object({
  userStories: z
    .array(
      z.object({
        id: z.union([line, z.number()]).optional(),
        title: line.default(''),
        description: line.default(''),
        acceptanceCriteria: z.array(line).max(100).default([]),
        priority: z.number().optional(),
        passes: z.boolean().default(false),
      }),
    )
    .min(1),
})

/** The stories of a `prd.json`, by their priority. The text where it is none, in words. */
export function readStories(text: string): TakenTasks | string {
  const parsed = storiesSchema.safeParse(parseJson(text))
  if (!parsed.success) return 'it has no userStories'
  const stories = parsed.data.userStories.toSorted(
    (a, b) => (a.priority ?? Number.POSITIVE_INFINITY) - (b.priority ?? Number.POSITIVE_INFINITY),
  )
  return contractOf(
    stories.map(({ id, title, description, acceptanceCriteria, passes }) => ({
      id: String(id ?? title),
      description: [title, description].filter((part) => part.trim() !== '').join(': '),
      checked: passes,
      criteria: acceptanceCriteria,
    })),
  )
}

/** The boxes of a fix plan in Markdown, in their order. The text where it has none, in words. */
export function readFixPlan(text: string): TakenTasks | string {
  const tasks = [...text.matchAll(/^[ \t]{0,3}[-*+][ \t]+\[([ xX])\][ \t]+(\S[^\r\n]*)$/gm)].map(
    ([, box = ' ', words = '']) => ({
      id: words.replace(/[*_`[\]]/g, '').slice(0, 40),
      description: words.replaceAll('**', '').trim(),
      checked: box !== ' ',
      criteria: [],
    }),
  )
  return tasks.length === 0 ? 'it has no line with a box' : contractOf(tasks)
}

/** A finished task comes without its box: what another loop took on trust is checked anew. */
function contractOf(tasks: readonly ForeignTask[]): TakenTasks {
  let contract = '# Imported\n\n## Tasks\n'
  const left: string[] = []
  const taken = new Set<string>()
  let count = 0
  for (const task of tasks) {
    if (count === MAX_TASKS) {
      left.push(`Tasks after the first ${MAX_TASKS}.`)
      break
    }
    const id = freeId(task.id, taken)
    const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()
    const added = applyEdit(contract, { kind: 'add', task: { id, description: oneLine(task.description) } })
    if (!added.ok) {
      left.push(`"${oneLine(task.description).slice(0, 80)}": ${added.reason}`)
      continue
    }
    taken.add(id)
    count += 1
    const criteria = task.criteria.map(oneLine).filter((text) => text !== '')
    contract = withCriteria(added.text, criteria, id)
    if (task.checked) left.push(`That "${id}" was finished: it is checked anew.`)
  }
  return { contract, count, left }
}

function withCriteria(text: string, criteria: readonly string[], id: string): string {
  const written = `${text.trimEnd()}\n${criteria.map((each) => `  - [ ] ${each}\n`).join('')}`
  const task = parseContract(written).tasks.find((each) => each.id === id)
  return task?.criteria.length === criteria.length ? written : text
}

function freeId(wanted: string, taken: ReadonlySet<string>): string {
  const id = slugify(wanted.replace(/[^\p{L}\p{N}\s._-]/gu, ' ')) || 'task'
  if (!taken.has(id)) return id
  for (let number = 2; ; number += 1) if (!taken.has(`${id}_${number}`)) return `${id}_${number}`
}
