/** Matches a line that ends a script immediately, or does nothing. */
const NO_WORK = /^(?:exit(?:\s+0)?|return(?:\s+0)?|true|:)\s*(?:;.*)?$/
/** If less of a script than this is left, it was emptied rather than edited. */
const MIN_SHARE_LEFT = 0.5

/**
 * Returns whether little is left of a script, or it ends right at its beginning. `null` means that there is no such file. Pure; never
 * throws.
 */
export function wasEmptied(before: string | null, after: string | null): boolean {
  if (before === null) return false
  if (after === null) return true
  const [old, now] = [statements(before), statements(after)]
  const endsAtOnce = (lines: readonly string[]): boolean =>
    lines.slice(0, 2).some((line) => NO_WORK.test(line))
  return now.length < old.length * MIN_SHARE_LEFT || (endsAtOnce(now) && !endsAtOnce(old))
}

/** What makes a check fail. */
const ASSERTIONS =
  /\b(?:assert\w*|throw|raise|fail\w*|expect|die|croak|abort|panic|exit|exitCode|return\s[^;\n]*[!=]=)/

/**
 * Returns whether code that a check includes lost everything that made the check fail, and most of its text. Few of the
 * included files are helpers of the check; the others are the work, which may get shorter or throw less often, but rarely
 * both. Pure; never throws.
 */
export function lostAssertions(before: string | null, after: string | null): boolean {
  if (before === null || !ASSERTIONS.test(before)) return false
  const length = (text: string): number => statements(text).join('').length
  return !ASSERTIONS.test(after ?? '') && length(after ?? '') < length(before) * MIN_SHARE_LEFT
}

/** Returns whether a file that may be the work counts as a check file; `part` is the part of it that counts. */
export function countsAsCheck(part: string | null, before: string | null, after: string | null): boolean {
  return part === ASSERTIONS_OF ? lostAssertions(before, after) : wasEmptied(before, after)
}

/** The part of an included file that counts. */
export const ASSERTIONS_OF = 'assertions'

function statements(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#') && !/^set [-+]/.test(line))
}
