import { isUtf8 } from 'node:buffer'
import { isBlankEdit } from '../../core/verification/blank-edit.ts'
import { isPointerTo } from './lfs-pointer.ts'

/**
 * Returns whether a file changed only in meaningless white space, or became the Git LFS pointer to its content, or the reverse. False for
 * other changes of files that are not UTF-8, because decoding loses bytes, and for equal bytes, because then only the mode changed.
 */
export function isBlankSince(path: string, was: Buffer, now: Buffer): boolean {
  if (isPointerTo(was, now) || isPointerTo(now, was)) return true
  if (!isUtf8(was) || !isUtf8(now) || (was.length > 0 && was.equals(now))) return false
  return isBlankEdit(path, was.toString('utf8'), now.toString('utf8'))
}
