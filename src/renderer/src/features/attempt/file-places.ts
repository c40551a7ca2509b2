/** A file named in a line of output, and the position of its name in the line. */
export interface FilePlace {
  readonly path: string
  /** From 1; 1 if none is named. */
  readonly line: number
  readonly from: number
  readonly to: number
}

/** Longer lines are data, without files to open. */
const MOST_CHARACTERS = 2000

/**
 * A path with a dot in its last name, or with a folder in front; a suffix like `:12`, `:12:5` or `(12,5)` is its line. Web addresses don't
 * count.
 */
const PLACE =
  /(?<![\w:/.@-])(?:(?:\.{0,2}\/)?(?:[\w@.+-]+\/)+[\w@.+-]*\w|[\w+-]+(?:\.[\w+-]+)*\.[A-Za-z]\w{0,9})(?::(?<line>\d{1,7})(?::\d{1,7})?|\((?<bracket>\d{1,7})(?:,\s?\d{1,7})?\))?(?![\w/])/gu

/** Returns the files that a line of output names. Whether they exist only shows when one is opened. */
export function filePlaces(text: string): readonly FilePlace[] {
  if (text.length > MOST_CHARACTERS) return []
  return [...text.matchAll(PLACE)].flatMap(({ 0: found, index, groups }) => {
    const line = groups?.line ?? groups?.bracket
    const path = found.replace(/(?::\d+){1,2}$|\(\d+(?:,\s?\d+)?\)$/u, '')
    // A version or a number with a dot is not a file.
    if (!/[A-Za-z]/u.test(path) || /^v?\d+(?:\.\d+)*$/u.test(path)) return []
    return [{ path, line: Number(line ?? 1) || 1, from: index, to: index + found.length }]
  })
}
