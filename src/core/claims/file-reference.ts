import type { FileReference } from './types.ts'

/** Line numbers after a path: `:12`, `:12-34`, `:12:5` (line and column), `#L12`, `#L12-L34`. */
const LINES = /(?::(\d{1,9})(?:[-–](\d{1,9})|:\d{1,9})?|#L(\d{1,9})(?:-L?(\d{1,9}))?)$/

/** A file reference as agents write it: the path, with its lines if it names any. The path itself is left as written. */
export function parseFileReference(text: string): FileReference {
  const trimmed = text.trim()
  const match = LINES.exec(trimmed)
  if (match === null) return { path: trimmed }
  const startLine = Number(match[1] ?? match[3])
  const endLine = Number(match[2] ?? match[4] ?? startLine)
  return { path: trimmed.slice(0, match.index), startLine, endLine }
}
