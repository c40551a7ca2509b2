import type { Contract } from './types.ts'

/**
 * Returns what is wrong with a contract saved as UTF-16, or replaced with binary data, and how to fix it; otherwise `null`. No task is
 * found in it. A heartbeat must not take it for a contract without tasks, or it would forget them all.
 */
export function encodingProblem({ tasks }: Pick<Contract, 'tasks'>, text: string): string | null {
  if (tasks.length > 0 || !text.includes('\0')) return null
  return isLikeUtf16(text)
    ? 'HEARTBEAT.md seems to be saved as UTF-16, so no tasks can be read. Save it as UTF-8.'
    : 'HEARTBEAT.md contains binary data, so no tasks can be read. Restore the file, or write it again as text.'
}

/** UTF-16 has a zero byte next to each letter and mark; of random bytes every 256th is zero. */
const LEAST_ZEROS_01 = 0.1

/** Whether a text with zero bytes was probably saved as UTF-16: by its mark at the start, or by how many there are. */
export function isLikeUtf16(text: string): boolean {
  const zeros = text.split('\0').length - 1
  // The two bytes of the mark are none of UTF-8.
  return zeros > 0 && (text.startsWith('\uFFFD\uFFFD') || zeros / text.length >= LEAST_ZEROS_01)
}
