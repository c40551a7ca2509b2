/** A test with the same body as before but another name or file, according to the sources. */
export interface RenamedTest {
  readonly from: string
  readonly to: string
  /** The other file it is in now. */
  readonly movedTo?: string
}

/**
 * Returns the names missing from reports, except those of tests that were renamed or moved with the same body: each of these was executed
 * under its new name, in the same place or in one named after its new file. A rename in the sources covers one name of a report, which must
 * end in the complete name from the source: `tests::add` doesn't match `tests::add_twice`.
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

/** Returns the name under which this test was executed; `null`: it is another test, or was not executed. */
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

/** Returns what precedes a test's own name; `null`: it is not such a test's name. */
function placeOf(name: string, own: string): string | null {
  if (!name.endsWith(own)) return null
  const place = name.slice(0, name.length - own.length)
  return /\w$/.test(place) ? null : place
}

function wordsOf(place: string): readonly string[] {
  return place.match(/\w+/g) ?? []
}
