/** A file as a line of output names it, and where in the line its name is. */
export interface FilePlace {
  readonly path: string
  /** From 1; 1 where none is named. */
  readonly line: number
  readonly from: number
  readonly to: number
}

/** Longer lines are data, no places to go to. */
const MOST_CHARACTERS = 2000

/**
 * A path with a dot in its last name, or with a folder before it; what follows as `:12`, `:12:5` or `(12,5)` is its line. An address on the
 * web is none.
 */
const PLACE =
  /(?<![\w:/.@-])(?:(?:\.{0,2}\/)?(?:[\w@.+-]+\/)+[\w@.+-]*\w|[\w+-]+(?:\.[\w+-]+)*\.[A-Za-z]\w{0,9})(?::(?<line>\d{1,7})(?::\d{1,7})?|\((?<bracket>\d{1,7})(?:,\s?\d{1,7})?\))?(?![\w/])/gu

/** The files that a line of output names. Whether they exist, only opening one shows. */
export function filePlaces(text: string): readonly FilePlace[] {
  if (text.length > MOST_CHARACTERS) return []
  return [...text.matchAll(PLACE)].flatMap(({ 0: found, index, groups }) => {
    const line = groups?.line ?? groups?.bracket
    const path = found.replace(/(?::\d+){1,2}$|\(\d+(?:,\s?\d+)?\)$/u, '')
    // A version or a number with a dot is no file, and neither is a word with one behind it.
    if (!/[A-Za-z]/u.test(path) || /^v?\d+(?:\.\d+)*$/u.test(path)) return []
    return [{ path, line: Number(line ?? 1) || 1, from: index, to: index + found.length }]
  })
}
