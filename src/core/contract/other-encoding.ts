import type { Contract } from './types.ts'

/**
 * Returns what is wrong with a contract saved as UTF-16, or replaced with binary data, and how to fix it; otherwise `null`. No task is
 * found in such a text. A heartbeat must not treat it as a contract without tasks, because it would then forget them all.
 */
export function encodingProblem({ tasks }: Pick<Contract, 'tasks'>, text: string): string | null {
  if (tasks.length > 0 || !text.includes('\0')) return null
  return isLikeUtf16(text)
    ? 'HEARTBEAT.md seems to be saved as UTF-16, so no tasks can be read. Save it as UTF-8.'
    : 'HEARTBEAT.md contains binary data, so no tasks can be read. Restore the file, or write it again as text.'
}

/** UTF-16 has a zero byte next to each ASCII letter and mark; in random bytes, one in 256 is zero. */
const LEAST_ZEROS_01 = 0.1
/** With what may be a byte order mark: text in other scripts has fewer zeros, but a contract's own words and marks are ASCII. */
const LEAST_ZEROS_AFTER_MARK_01 = 0.02

/** Returns whether a text with zero bytes was probably saved as UTF-16: by the share of zeros, and by its byte order mark. */
export function isLikeUtf16(text: string): boolean {
  const zeros = text.split('\0').length - 1
  // Neither byte of the mark is valid UTF-8. A quarter of random data begins with two such bytes too.
  const least = text.startsWith('\uFFFD\uFFFD') ? LEAST_ZEROS_AFTER_MARK_01 : LEAST_ZEROS_01
  return zeros > 0 && zeros / text.length >= least
}
