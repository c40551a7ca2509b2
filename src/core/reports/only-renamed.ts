/** What one check executes with the work, and what it executes and passes with the test files as they were before. */
export interface RenamedTests {
  readonly executed: number
  /** What it has to execute: as before. */
  readonly required: number
  /** Everything that is missing passes with the former test files. */
  readonly isFormerGreen: boolean
}

/**
 * Returns whether tests that are missing were only renamed, moved or renumbered: each check executes no fewer than before, and the former
 * test files pass. More tests of one check make up for none of another. Files that were weakened too are not only renamed.
 */
export function isOnlyRenamed(checks: readonly RenamedTests[], isWeakened: boolean): boolean {
  return (
    !isWeakened &&
    checks.every(({ executed, required, isFormerGreen }) => isFormerGreen && executed >= required)
  )
}
