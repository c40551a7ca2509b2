import { changedPaths, isOperatorFile } from './difference.ts'
import { relativePath } from './file-claims.ts'
import type { VerdictInput } from './types.ts'

/** Evidence items are agent output; a longer one can't be a file reference. */
const MAX_EVIDENCE_LENGTH = 2000

/**
 * Returns what shows the work: changes to the repository itself that the task asks for, and files that the agent named
 * (claimed, or in its evidence such as `notes/inbox.md:1-12 …`) and that the snapshot shows as changed. Omits contract and
 * configuration: an agent's own check mark is no evidence of its work.
 */
export function confirmedEvidence(input: VerdictInput): readonly string[] {
  const work = changedPaths(input.work ?? input.difference)
  const changed = new Set(input.work === undefined ? work.filter((path) => !isOperatorFile(path)) : work)
  const asked = input.work?.asked ?? []
  // No other file changed, so it doesn't matter how the agent writes their names (such as by a pattern).
  if (changed.size === 0) return asked
  const claimed = input.fileClaims.filter(({ finding }) => finding === 'shown').map(({ path }) => path)
  const referred = input.claim.evidence.flatMap(referredPaths).filter((path) => changed.has(path))
  const named = [...new Set([...claimed, ...referred])]
  const isWork = (path: string): boolean => !isOperatorFile(path) || changed.has(path)
  return [...asked, ...named.filter((path) => isWork(relativePath(path, null)))]
}

/** Returns the words of an evidence item that could be paths, without quotes, brackets, punctuation and line numbers. */
function referredPaths(evidence: string): readonly string[] {
  return evidence
    .slice(0, MAX_EVIDENCE_LENGTH)
    .split(/\s+/)
    .map((word) => word.replace(/^[`'"(<[„“»«]+/, '').replace(/[`'")>\]“”»«,;:.!?]+$/, ''))
    .map((word) => word.replace(/(?::\d+(?:[-–]\d+)?|#L\d+(?:-L?\d+)?)$/, ''))
    .filter((word) => word !== '')
    .map((word) => relativePath(word, null))
}
