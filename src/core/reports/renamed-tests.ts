/** A test whose body is the same as before under another name, by what the sources say. */
export interface RenamedTest {
  readonly from: string
  readonly to: string
}

/**
 * Returns the names that reports miss without those of tests that were renamed with the same body: each of these was executed under its
 * new name, in the same place. A rename in the sources stands for one name of a report, and a report's name ends in the whole name that
 * the source has: `tests::add` is not `tests::add_twice`.
 */
export function withoutRenamed(
  lost: readonly string[],
  added: readonly string[],
  renamed: readonly RenamedTest[],
): readonly string[] {
  const [left, unused] = [new Set(lost), new Set(added)]
  for (const { from, to } of renamed) {
    const name = [...left].find((each) => unused.has(renamedTo(each, from, to) ?? ''))
    if (name === undefined) continue
    left.delete(name)
    unused.delete(renamedTo(name, from, to) ?? '')
  }
  return lost.filter((name) => left.has(name))
}

/** `null`: it is not the name of such a test. */
function renamedTo(name: string, from: string, to: string): string | null {
  if (!name.endsWith(from)) return null
  const place = name.slice(0, name.length - from.length)
  return /\w$/.test(place) ? null : `${place}${to}`
}
