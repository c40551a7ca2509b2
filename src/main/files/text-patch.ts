import { createPatch } from 'diff'

/** Longer texts are not compared: it would take long, and no one reads the result. */
const MAX_TEXT_LENGTH = 512 * 1024
/** Limit for comparing: for two unrelated texts, the time grows with the product of their lengths. */
const COMPARING_MS = 50

/**
 * Returns the unified difference of two texts of one file, as complete lines of at most `maxBytes`, with a last line that says if something
 * is left out; `null` if they are too long, too different or equal.
 */
export function textPatch(path: string, before: string, after: string, maxBytes: number): string | null {
  if (before === after || before.length > MAX_TEXT_LENGTH || after.length > MAX_TEXT_LENGTH) return null
  // A name may contain anything, but must not look like a line of the difference.
  const name = path.replace(/\s+/gu, ' ')
  const patch = createPatch(name, before, after, undefined, undefined, { context: 3, timeout: COMPARING_MS })
  // The first two lines name the file in a different format, so replace them.
  return patch === undefined ? null : boundedLines(patch.replace(/^Index: .*\n=+\n/, ''), maxBytes)
}

/** Returns the first lines of `text` that fit into `maxBytes`, and a last one if there are more. */
function boundedLines(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text
  const kept = Buffer.from(text).subarray(0, maxBytes)
  const end = kept.lastIndexOf(0x0a)
  return `${kept.toString('utf8', 0, end + 1)}\\ The rest of the difference is left out\n`
}
