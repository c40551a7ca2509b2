/** What one check executes with the work, and whether it passes with the earlier test files. */
export interface RenamedTests {
  readonly executed: number
  /** Number of tests it must execute: as many as before. */
  readonly required: number
  /** True if everything that is missing passes with the earlier test files. */
  readonly isFormerGreen: boolean
}

/**
 * Returns whether missing tests were only renamed, moved or renumbered: each check executes no fewer than before, and the earlier test
 * files pass. Additional tests of one check don't make up for another's. Never true if files were weakened too.
 */
export function isOnlyRenamed(checks: readonly RenamedTests[], isWeakened: boolean): boolean {
  return (
    !isWeakened &&
    checks.every(({ executed, required, isFormerGreen }) => isFormerGreen && executed >= required)
  )
}
