/** What of a task an edit of the contract is told by. */
export interface ComparedTask {
  readonly id: string
  readonly description: string
  readonly required: boolean
  readonly verify: string
  readonly maxAttempts: number
  readonly checked: boolean
  readonly criteria: readonly { readonly text: string; readonly checked: boolean | null }[]
}

const MAX_SENTENCES = 50
const MAX_QUOTE_LENGTH = 120

/**
 * A sentence for each task that was added, removed or changed, in the order of the contract; at most 50, the last of them saying how
 * many more there are. Empty where the tasks are the same. Tasks are matched by id, criteria by text.
 */
export function contractChanges(before: readonly ComparedTask[], after: readonly ComparedTask[]): string[] {
  const was = new Map(before.map((task) => [task.id, task]))
  const is = new Set(after.map((task) => task.id))
  const changed = after.flatMap((task) => {
    const old = was.get(task.id)
    return old === undefined ? [`Task "${task.id}" was added.`] : taskChanges(old, task)
  })
  const removed = before.filter(({ id }) => !is.has(id)).map(({ id }) => `Task "${id}" was removed.`)
  const all = [...changed, ...removed]
  if (all.length <= MAX_SENTENCES) return all
  const kept = all.slice(0, MAX_SENTENCES - 1)
  return [...kept, `And ${all.length - kept.length} more changes.`]
}

function taskChanges(before: ComparedTask, after: ComparedTask): string[] {
  const name = `Task "${after.id}"`
  const sentences: string[] = []
  if (before.verify !== after.verify)
    sentences.push(`${name}: hint changed from ${quoted(before.verify)} to ${quoted(after.verify)}.`)
  if (before.required !== after.required)
    sentences.push(`${name}: ${after.required ? 'required' : 'optional'} now.`)
  if (before.checked !== after.checked)
    sentences.push(`${name}: its box was ${after.checked ? 'checked' : 'unchecked'}.`)
  if (before.maxAttempts !== after.maxAttempts)
    sentences.push(`${name}: max_attempts changed from ${before.maxAttempts} to ${after.maxAttempts}.`)
  if (before.description !== after.description) sentences.push(`${name}: its description was reworded.`)
  return [...sentences, ...criteriaChanges(before, after)]
}

function criteriaChanges(before: ComparedTask, after: ComparedTask): string[] {
  const texts = (task: ComparedTask) => task.criteria.map(({ text }) => text)
  const added = without(texts(after), texts(before)).map((text) => `${quoted(text)} was added`)
  const removed = without(texts(before), texts(after)).map((text) => `${quoted(text)} was removed`)
  return [...added, ...removed].map((words) => `Task "${after.id}": criterion ${words}.`)
}

/** What is left of a list once each text of the other has taken its equal away. */
function without(texts: readonly string[], others: readonly string[]): string[] {
  const left = [...others]
  return texts.filter((text) => {
    const index = left.indexOf(text)
    if (index < 0) return true
    left.splice(index, 1)
    return false
  })
}

function quoted(text: string): string {
  const short = text.length <= MAX_QUOTE_LENGTH ? text : `${text.slice(0, MAX_QUOTE_LENGTH - 1)}…`
  return `"${short}"`
}
