/** A test whose body is the same as before under another name or in another file, by what the sources say. */
export interface RenamedTest {
  readonly from: string
  readonly to: string
  /** The other file that it is in now. */
  readonly movedTo?: string
}

/**
 * Returns the names that reports miss without those of tests that were renamed or moved with the same body: each of these was executed
 * under its new name, in the same place or in one that is called after its new file. A rename in the sources stands for one name of a
 * report, and a report's name ends in the whole name that the source has: `tests::add` is not `tests::add_twice`.
 */
export function withoutRenamed(
  lost: readonly string[],
  added: readonly string[],
  renamed: readonly RenamedTest[],
): readonly string[] {
  const [left, unused] = [new Set(lost), new Set(added)]
  for (const test of renamed) {
    for (const name of left) {
      const now = executedAs(name, test, unused)
      if (now === null) continue
      left.delete(name)
      unused.delete(now)
      break
    }
  }
  return lost.filter((name) => left.has(name))
}

/** The name that such a test was executed under; `null`: it is not this test, or was not executed. */
function executedAs(
  name: string,
  { from, to, movedTo }: RenamedTest,
  executed: ReadonlySet<string>,
): string | null {
  const place = placeOf(name, from)
  if (place === null) return null
  if (executed.has(`${place}${to}`)) return `${place}${to}`
  if (movedTo === undefined) return null
  const words = new Set(wordsOf(`${place} ${movedTo}`))
  for (const other of executed) {
    const itsPlace = placeOf(other, to)
    if (itsPlace !== null && wordsOf(itsPlace).every((word) => words.has(word))) return other
  }
  return null
}

/** What stands before a test's own name; `null`: it is not the name of such a test. */
function placeOf(name: string, own: string): string | null {
  if (!name.endsWith(own)) return null
  const place = name.slice(0, name.length - own.length)
  return /\w$/.test(place) ? null : place
}

function wordsOf(place: string): readonly string[] {
  return place.match(/\w+/g) ?? []
}
