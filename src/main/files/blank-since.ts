import { isUtf8 } from 'node:buffer'
import { isBlankEdit } from '../../core/verification/blank-edit.ts'
import { isPointerTo } from './lfs-pointer.ts'

/**
 * Returns whether a file changed only in white space without a meaning, or became the pointer of Git LFS to what it held, or the
 * reverse. False for other changes of what is no UTF-8, because decoding loses its bytes, and for the same bytes, of which the mode was
 * asked for.
 */
export function isBlankSince(path: string, was: Buffer, now: Buffer): boolean {
  if (isPointerTo(was, now) || isPointerTo(now, was)) return true
  if (!isUtf8(was) || !isUtf8(now) || (was.length > 0 && was.equals(now))) return false
  return isBlankEdit(path, was.toString('utf8'), now.toString('utf8'))
}
