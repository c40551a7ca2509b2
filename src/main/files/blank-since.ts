import { isUtf8 } from 'node:buffer'
import { isBlankEdit } from '../../core/verification/blank-edit.ts'

/**
 * Returns whether a file changed only in white space without a meaning. False for what is no UTF-8, because decoding loses its bytes, and
 * for the same bytes, of which the mode was asked for.
 */
export function isBlankSince(path: string, was: Buffer, now: Buffer): boolean {
  if (!isUtf8(was) || !isUtf8(now) || (was.length > 0 && was.equals(now))) return false
  return isBlankEdit(path, was.toString('utf8'), now.toString('utf8'))
}
