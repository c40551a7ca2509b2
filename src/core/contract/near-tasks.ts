import { parser } from '@lezer/markdown'
import type { SourceLines } from './source-lines.ts'
import type { Paragraph } from './structure.ts'

/** A line that a person meant as a task, and that is text. Offsets are those of the whole text. */
export interface NearTask {
  readonly from: number
  readonly to: number
  /** It would be one, were it not indented so far that it goes on the line before it. */
  readonly isTooDeep: boolean
}

/*
 * What stands before a box in the place of a marker and its blank: a marker without one, or with a blank that Markdown does not know (a
 * no-break space); a bullet or a dash of a word processor; a number without a blank.
 *   -[ ] task      • [ ] task      – [ ] task      1.[ ] task
 * A box before a bracket or a colon is a link.
 */
const MARKED = /^(?:[-*+•◦‣▪–—−]|\d{1,9}[.)])\s*(\[\s{0,3}[xX]?\s{0,3}\])(?![([:])/
/** A box alone is one where a task's first fields follow it: `[ ] task_id | …`. Boxes begin sentences, too. */
const UNMARKED = /^\[[ xX]?\]\s+[\p{L}\p{N}_.-]+\s+\|\s/u
/** Brackets with nothing in them are a box only before a text, and not behind what is also a sign of programs: `*[] p`. */
const EMPTY = /^[^*+[]+\[\]\s+\S/
/** As it would be right further to the left. */
const WELL_FORMED = /^[-*+][ \t]+\[[ xX]\](?:\s|$)/

/** Only longer than anybody writes: whether a line of it lies in code or in a comment is not looked for, and nothing of it is told. */
const MAX_PARAGRAPH = 10_000

const codeAndComments = parser.configure({ remove: ['Entity', 'Emphasis', 'HardBreak', 'Link', 'Image'] })
const SKIPPED = new Set(
  codeAndComments.nodeSet.types
    .filter(({ name }) => ['InlineCode', 'HTMLTag', 'Comment', 'ProcessingInstruction'].includes(name))
    .map(({ id }) => id),
)

/**
 * The lines of a paragraph that look like task lines and are text to Markdown, in their order. Lines of prose are none, nor is what stands
 * in a code span or a comment. Throws for no text.
 */
export function nearTasks({ from, to, beginsItem }: Paragraph, lines: SourceLines): readonly NearTask[] {
  const first = lines.lineAt(from)
  const found: NearTask[] = []
  for (let line = first; line <= lines.lineAt(Math.max(from, to - 1)); line++) {
    // What an item begins with was read with its marker.
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
  // The marks of a quote around it are not part of it.
  const indent = /^[\s>]*/.exec(text.slice(from, to))?.[0].length ?? 0
  const line = text.slice(from + indent, to)
  const box = MARKED.exec(line)
  const isNear = box === null ? UNMARKED.test(line) : box[1] !== '[]' || EMPTY.test(line)
  return isNear ? { from: from + indent, to, isTooDeep: WELL_FORMED.test(line) } : null
}

/**
 * The line of a near task as the task line that was meant, indentation and text as they are; `null` for any other line, and for one that
 * only stands too far to the right. Throws for no text.
 */
export function asTaskLine(line: string): string | null {
  const near = nearTask(line, 0, line.length)
  if (near === null || near.isTooDeep) return null
  const text = line.slice(near.from)
  const box = text.slice(text.indexOf('['), text.indexOf(']') + 1)
  const rest = text.slice(text.indexOf(']') + 1).trimStart()
  return `${line.slice(0, near.from)}- ${/x/i.test(box) ? '[x]' : '[ ]'} ${rest}`
}
