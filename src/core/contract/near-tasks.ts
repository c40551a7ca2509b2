import { parser } from '@lezer/markdown'
import type { SourceLines } from './source-lines.ts'
import type { Paragraph } from './structure.ts'

/** A line that was probably meant as a task but parses as text. Offsets are relative to the whole text. */
export interface NearTask {
  readonly from: number
  readonly to: number
  /** True if it would be a task without its indentation, which makes it continue the line before. */
  readonly isTooDeep: boolean
}

/*
 * What precedes a box instead of a marker and a space: a marker without a space, or with one that Markdown doesn't recognize (a
 * no-break space); a bullet or dash from a word processor; a number without a space.
 *   -[ ] task      • [ ] task      – [ ] task      1.[ ] task
 * A box before a bracket or a colon is a link.
 */
const MARKED = /^(?:[-*+•◦‣▪–—−]|\d{1,9}[.)])\s*(\[\s{0,3}[xX]?\s{0,3}\])(?![([:])/
/** A box without a marker counts only if the first fields of a task follow: `[ ] task_id | …`. Sentences can begin with a box too. */
const UNMARKED = /^\[[ xX]?\]\s+[\p{L}\p{N}_.-]+\s+\|\s/u
/** Empty brackets count as a box only before text, and not after characters that may be code: `*[] p`. */
const EMPTY = /^[^*+[]+\[\]\s+\S/
/** Well-formed, but indented too far. */
const WELL_FORMED = /^[-*+][ \t]+\[[ xX]\](?:\s|$)/

/** Longer than anything that people write. Such paragraphs are not searched for code spans or comments, and nothing in them is reported. */
const MAX_PARAGRAPH = 10_000

const codeAndComments = parser.configure({ remove: ['Entity', 'Emphasis', 'HardBreak', 'Link', 'Image'] })
const SKIPPED = new Set(
  codeAndComments.nodeSet.types
    .filter(({ name }) => ['InlineCode', 'HTMLTag', 'Comment', 'ProcessingInstruction'].includes(name))
    .map(({ id }) => id),
)

/**
 * Returns the lines of a paragraph that look like task lines but are text to Markdown, in order. Excludes prose, code spans and
 * comments. Never throws.
 */
export function nearTasks({ from, to, beginsItem }: Paragraph, lines: SourceLines): readonly NearTask[] {
  const first = lines.lineAt(from)
  const found: NearTask[] = []
  for (let line = first; line <= lines.lineAt(Math.max(from, to - 1)); line++) {
    // The beginning of an item was already read with its marker.
    if (line === first && beginsItem) continue
    const near = nearTask(lines.text, Math.max(from, lines.start(line)), Math.min(to, lines.end(line)))
    if (near !== null) found.push(near)
  }
  if (found.length === 0) return found
  const text = lines.text.slice(from, to)
  if (!/[`<]/.test(text)) return found
  if (text.length > MAX_PARAGRAPH) return []
  const skipped = codeAndComments.parseInline(text, from).filter(({ type }) => SKIPPED.has(type))
  return found.filter((near) => !skipped.some((span) => span.from < near.from && near.from < span.to))
}

function nearTask(text: string, from: number, to: number): NearTask | null {
  // The marks of a surrounding quote are not part of it.
  const indent = /^[\s>]*/.exec(text.slice(from, to))?.[0].length ?? 0
  const line = text.slice(from + indent, to)
  const box = MARKED.exec(line)
  const isNear = box === null ? UNMARKED.test(line) : box[1] !== '[]' || EMPTY.test(line)
  return isNear ? { from: from + indent, to, isTooDeep: WELL_FORMED.test(line) } : null
}

/**
 * Returns a near task's line rewritten as the intended task line, with its indentation and text unchanged; `null` for any other
 * line, including one that is only indented too far. Never throws.
 */
export function asTaskLine(line: string): string | null {
  const near = nearTask(line, 0, line.length)
  if (near === null || near.isTooDeep) return null
  const text = line.slice(near.from)
  const box = text.slice(text.indexOf('['), text.indexOf(']') + 1)
  const rest = text.slice(text.indexOf(']') + 1).trimStart()
  return `${line.slice(0, near.from)}- ${/x/i.test(box) ? '[x]' : '[ ]'} ${rest}`
}
