import { changedPaths, isOperatorFile } from './difference.ts'
import { relativePath } from './file-claims.ts'
import type { VerdictInput } from './types.ts'

/** Evidence items are agent output: what lies beyond this length is no file reference any more. */
const MAX_EVIDENCE_LENGTH = 2000

/**
 * Returns what shows the work: what was done to the repository itself as the task asks, and what the agent named, as a claimed file or in its evidence (`notes/inbox.md:1-12 …`), and the snapshot shows as changed.
 * The contract and the configuration are left out: ticking its own box is no evidence of an agent's work.
 */
export function confirmedEvidence(input: VerdictInput): readonly string[] {
  const work = changedPaths(input.work ?? input.difference)
  const changed = new Set(input.work === undefined ? work.filter((path) => !isOperatorFile(path)) : work)
  const asked = input.work?.asked ?? []
  // However the agent writes their names, by a pattern say: no other file changed.
  if (changed.size === 0) return asked
  const claimed = input.fileClaims.filter(({ finding }) => finding === 'shown').map(({ path }) => path)
  const referred = input.claim.evidence.flatMap(referredPaths).filter((path) => changed.has(path))
  const named = [...new Set([...claimed, ...referred])]
  const isWork = (path: string): boolean => !isOperatorFile(path) || changed.has(path)
  return [...asked, ...named.filter((path) => isWork(relativePath(path, null)))]
}

/** Words of an evidence item as paths would be written, without quotes, brackets, punctuation and line numbers. */
function referredPaths(evidence: string): readonly string[] {
  return evidence
    .slice(0, MAX_EVIDENCE_LENGTH)
    .split(/\s+/)
    .map((word) => word.replace(/^[`'"(<[„“»«]+/, '').replace(/[`'")>\]“”»«,;:.!?]+$/, ''))
    .map((word) => word.replace(/(?::\d+(?:[-–]\d+)?|#L\d+(?:-L?\d+)?)$/, ''))
    .filter((word) => word !== '')
    .map((word) => relativePath(word, null))
}
