import stripJsonComments from 'strip-json-comments'
import type { JsonValue } from '../../core/claims/types.ts'

/** Deeper JSON is nothing that a hint looks into, and comparing or writing it out would overflow the stack. */
const MAX_DEPTH = 100

/** Files that their programs read with comments and commas too many, as `tsc --init` and editors write them. */
const WITH_COMMENTS =
  /(?:^|\/)(?:[tj]sconfig[^/]*\.json|\.eslintrc(?:\.json)?|devcontainer\.json|\.vscode\/[^/]+\.json|[^/]+\.(?:jsonc|code-workspace))$/i

/** The value of a JSON file, as whoever it is for reads it: comments count as nothing where its name says that it may have any. */
export function parseJsonFile(path: string, text: string): JsonValue | undefined {
  const value = parseJsonText(text)
  if (value !== undefined || !WITH_COMMENTS.test(path)) return value
  return parseJsonText(stripJsonComments(text, { trailingCommas: true }))
}

/**
 * The value of a JSON text; undefined where it is none, or nested deeper than 100. A byte order mark, which editors on Windows
 * write, does not count.
 */
export function parseJsonText(text: string): JsonValue | undefined {
  try {
    const value = JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text) as JsonValue
    return isWithinDepth(value, MAX_DEPTH) ? value : undefined
  } catch {
    return undefined
  }
}

function isWithinDepth(value: JsonValue, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return depth > 0 && Object.values(value).every((item) => isWithinDepth(item, depth - 1))
}
