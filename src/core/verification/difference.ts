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
