import { createPatch } from 'diff'

/** Texts longer than this are not compared: it would take long, and nobody reads the result. */
const MAX_TEXT_LENGTH = 512 * 1024
/** Two texts that have nothing in common take time that grows with their product. */
const COMPARING_MS = 50

/**
 * The unified difference of two texts of one file, whole lines of at most `maxBytes`, the last one saying what is left out; `null`
 * where they are too long, too different or not different at all.
 */
export function textPatch(path: string, before: string, after: string, maxBytes: number): string | null {
  if (before === after || before.length > MAX_TEXT_LENGTH || after.length > MAX_TEXT_LENGTH) return null
  // A name may hold anything; in a difference it must not pass itself off as a line of its own.
  const name = path.replace(/\s+/gu, ' ')
  const patch = createPatch(name, before, after, undefined, undefined, { context: 3, timeout: COMPARING_MS })
  // Its first two lines name the file in a form of their own.
  return patch === undefined ? null : boundedLines(patch.replace(/^Index: .*\n=+\n/, ''), maxBytes)
}

/** The lines of `text` from the start that fit into `maxBytes`, and a last one where there are more. */
function boundedLines(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text
  const kept = Buffer.from(text).subarray(0, maxBytes)
  const end = kept.lastIndexOf(0x0a)
  return `${kept.toString('utf8', 0, end + 1)}\\ The rest of the difference is left out\n`
}
