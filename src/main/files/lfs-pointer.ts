import { sha256 } from './sha256.ts'

/** Git LFS refuses larger pointers. */
const MAX_POINTER_BYTES = 1024
const POINTER = /^version https:\/\/[^\n]+\n(?:[^\n]*\n)*?oid sha256:([0-9a-f]{64})\n/

/** Returns whether `pointer` stands for this content in a repository with Git LFS. Source: the LFS pointer specification, v1. */
export function isPointerTo(content: Buffer, pointer: Buffer): boolean {
  if (pointer.length > MAX_POINTER_BYTES) return false
  const oid = POINTER.exec(pointer.toString('latin1'))?.[1]
  return oid !== undefined && sha256(content) === oid
}
