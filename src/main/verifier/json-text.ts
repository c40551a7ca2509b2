import stripJsonComments from 'strip-json-comments'
import type { JsonValue } from '../../core/claims/types.ts'

/** Checks don't look into deeper JSON, and comparing or serializing it would overflow the stack. */
const MAX_DEPTH = 100

/** Files that their programs read with comments and trailing commas, as `tsc --init` and editors write them. */
const WITH_COMMENTS =
  /(?:^|\/)(?:[tj]sconfig[^/]*\.json|\.eslintrc(?:\.json)?|devcontainer\.json|\.vscode\/[^/]+\.json|[^/]+\.(?:jsonc|code-workspace))$/i

/**
 * Returns the value of a JSON file as the program it belongs to reads it: ignores comments if its name says that it may have
 * any.
 */
export function parseJsonFile(path: string, text: string): JsonValue | undefined {
  const value = parseJsonText(text)
  if (value !== undefined || !WITH_COMMENTS.test(path)) return value
  return parseJsonText(stripJsonComments(text, { trailingCommas: true }))
}

/**
 * Returns the value of a JSON text; undefined if it is invalid, or nested deeper than 100. Ignores a byte order mark, which
 * editors on Windows write.
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
