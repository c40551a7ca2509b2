/** A test whose body is the same as before under another name, by what the sources say. */
export interface RenamedTest {
  readonly from: string
  readonly to: string
}

/**
 * Returns the names that reports miss without those of tests that were renamed with the same body: each of these was executed under its
 * new name, in the same place.
 */
export function withoutRenamed(
  lost: readonly string[],
  added: readonly string[],
  renamed: readonly RenamedTest[],
): readonly string[] {
  const isAdded = new Set(added)
  return lost.filter((name) => !renamed.some(({ from, to }) => isAdded.has(name.replaceAll(from, to))))
}
