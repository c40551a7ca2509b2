import type { FileDifference } from './types.ts'

/** All paths that a difference names, renamed files under both names. */
export function changedPaths(difference: FileDifference): readonly string[] {
  return [
    ...difference.added,
    ...difference.modified,
    ...difference.deleted,
    ...difference.renamed.flatMap(({ from, to }) => [from, to]),
  ]
}

/** What the operator asks for and how it is checked, at the top of the workspace. An agent may edit them; that is no work done. */
const OPERATOR_FILES: ReadonlySet<string> = new Set(['HEARTBEAT.md', 'pulseward.toml'])

/** Whether a path of a difference is the contract or the configuration. */
export function isOperatorFile(path: string): boolean {
  return OPERATOR_FILES.has(path)
}
