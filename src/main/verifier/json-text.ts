import type { JsonValue } from '../../core/claims/types.ts'

/** Deeper JSON is nothing that a hint looks into, and comparing or writing it out would overflow the stack. */
const MAX_DEPTH = 100

/** Files that their programs read with comments and commas too many, as `tsc --init` and editors write them. */
const WITH_COMMENTS =
  /(?:^|\/)(?:[tj]sconfig[^/]*\.json|\.eslintrc(?:\.json)?|devcontainer\.json|\.vscode\/[^/]+\.json|[^/]+\.(?:jsonc|code-workspace))$/i
/** The value of a JSON file, as whoever it is for reads it: comments count as nothing where its name says that it may have any. */
export function parseJsonFile(path: string, text: string): JsonValue | undefined {
  const value = parseJsonText(text)
  return value === undefined && WITH_COMMENTS.test(path) ? parseJsonText(plainJson(text)) : value
}

/** Without comments, and without a comma before what closes. One pass: no expression that a file could be written to explode. */
function plainJson(text: string): string {
  const kept: string[] = []
  /** Place of the last part that is no space, where it is a comma. */
  let comma: number | null = null
  for (let at = 0; at < text.length; ) {
    const end = endOfPart(text, at)
    const part = text.slice(at, end)
    at = end
    // What a comment stands between stays apart.
    const isSpace = /^(?:\/[/*]|\s)/.test(part)
    if (!isSpace && comma !== null && /^[}\]]/.test(part)) kept[comma] = ''
    if (!isSpace) comma = part === ',' ? kept.length : null
    kept.push(isSpace ? ' ' : part)
  }
  return kept.join('')
}

/** Where a text in quotes, a comment, or else a character, ends. */
function endOfPart(text: string, start: number): number {
  if (text.startsWith('//', start)) return after(text.indexOf('\n', start), text)
  if (text.startsWith('/*', start)) return after(text.indexOf('*/', start + 2), text, 2)
  if (text[start] !== '"') return start + 1
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

function after(found: number, { length }: string, size = 1): number {
  return found < 0 ? length : found + size
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
