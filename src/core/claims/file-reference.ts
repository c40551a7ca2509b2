import type { FileReference } from './types.ts'

/** Line numbers after a path: `:12`, `:12-34`, `:12:5` (line and column), `#L12`, `#L12-L34`, ` lines 12-34`. */
const LINES =
  /(?::(\d{1,9})(?:[-–](\d{1,9})|:\d{1,9})?|#L(\d{1,9})(?:-L?(\d{1,9}))?|(?<!\s)\s+\(?lines?\s+(\d{1,9})(?:\s*[-–]\s*(\d{1,9}))?\)?)$/i
/**
 * A remark after a path: ` (new)`, ` - created`. If something with a dot follows a dash, the dash is part of the name. The match starts
 * where white space begins, so that a thousand spaces don't mean a thousand tries.
 */
const REMARK = /(?<!\s)\s+(?:\([^()]*\)|[-–—:]\s[^/.]*)$/
/** A word before a path, or git's letter: `modified: a.md`, `M a.md`. */
const WHAT_HAPPENED =
  /^(?:(?:created|added|new file|modified|changed|updated|edited|wrote|deleted|removed|renamed)(?::\s*|\s+)|[AMDR]\d{0,3}:?\s+)(?=[^\s(-]*[./])/i
/** Separates several paths in one text: the two names of a renamed file, or a list. */
const BETWEEN = /(?<!\s)\s+(?:->|=>|→|⇒)\s+|,\s+|\r?\n\s*/
const QUOTES = /^[`'"„“]+|[`'"“”]+$/g

/** Parses a file reference as agents write it: the path, with its lines if it names any. The path itself stays as written. */
export function parseFileReference(text: string): FileReference {
  const trimmed = text.trim()
  const match = LINES.exec(trimmed)
  if (match === null) {
    const path = trimmed.replace(REMARK, '').replace(QUOTES, '').replace(WHAT_HAPPENED, '')
    return path === trimmed ? { path } : parseFileReference(path)
  }
  const startLine = Number(match[1] ?? match[3] ?? match[5])
  const endLine = Number(match[2] ?? match[4] ?? match[6] ?? startLine)
  return { path: trimmed.slice(0, match.index).replace(QUOTES, ''), startLine, endLine }
}

/**
 * Returns the references in one text, because agents write a list or a rename where a single path is expected. A text whose
 * parts are not paths stays whole.
 */
export function splitReferences(text: string): readonly string[] {
  const parts = text
    .trim()
    .split(BETWEEN)
    .map((part) => part.trim())
  const isPath = (part: string): boolean =>
    /^[^\s,{}]+$/.test(part.replace(WHAT_HAPPENED, '')) && /[./]/.test(part)
  return parts.length > 1 && parts.every(isPath) ? parts : [text]
}
