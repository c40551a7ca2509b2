import type { FileDifference } from './types.ts'

/** All paths that a difference names, renamed files under both names. */
export function changedPaths(difference: FileDifference): readonly string[] {
  const before = joined.get(difference)
  if (before !== undefined) return before
  const paths = [...difference.added, ...difference.modified, ...difference.deleted]
  for (const { from, to } of difference.renamed) paths.push(from, to)
  joined.set(difference, paths)
  return paths
}

/** A judgement asks a dozen times, and an agent may have changed 200,000 files. */
const joined = new WeakMap<FileDifference, readonly string[]>()

/** What the operator asks for and how it is checked, at the top of the workspace. An agent may edit them; that is no work done. */
const OPERATOR_FILES: ReadonlySet<string> = new Set(['HEARTBEAT.md', 'pulseward.toml'])

/** Whether a path of a difference is the contract or the configuration. */
export function isOperatorFile(path: string): boolean {
  return OPERATOR_FILES.has(path)
}

/**
 * What of a difference counts as work on a task: all but the contract and the configuration, unless the task's text names the file.
 * A commit of nothing else is no work either.
 */
export function workOf(difference: FileDifference, taskText: string): FileDifference {
  const asked = taskText.toLowerCase()
  const isWork = (path: string): boolean => !isOperatorFile(path) || asked.includes(path.toLowerCase())
  const work: FileDifference = {
    ...difference,
    added: difference.added.filter(isWork),
    modified: difference.modified.filter(isWork),
    deleted: difference.deleted.filter(isWork),
    renamed: difference.renamed.filter(({ from, to }) => isWork(from) || isWork(to)),
    otherwiseChanged: (difference.otherwiseChanged ?? []).filter(isWork),
  }
  const left = changedPaths(work).length + (work.otherwiseChanged ?? []).length
  const isReduced = changedPaths(difference).length + (difference.otherwiseChanged ?? []).length > left
  return isReduced && left === 0 ? { ...work, headMoved: null } : work
}
