import { parseWithStructure, runnableTasks } from './parse.ts'
import { bodyStart, type SourceLines } from './source-lines.ts'
import type { TaskDefinition } from './types.ts'

/** A range of whole lines, from 0; `to` is the first line after it. If both are equal, it is empty: a position between lines. */
export interface LineSpan {
  readonly from: number
  readonly to: number
}

/** A criterion and its lines; `said` is their content without box and indentation. */
export interface CriterionLines {
  readonly said: string
  readonly text: string
  readonly checked: boolean | null
  readonly span: LineSpan
}

/** A task and its lines. */
export interface TaskLines {
  readonly task: TaskDefinition
  readonly span: LineSpan
  readonly criteria: readonly CriterionLines[]
  /** The lines between the task's line and its first criterion. */
  readonly details: LineSpan
}

/** One of two texts being compared. */
export interface Side {
  readonly lines: SourceLines
  /** The runnable tasks, in order. */
  readonly tasks: readonly TaskLines[]
  readonly byId: ReadonlyMap<string, TaskLines>
  /** Index of the line of the section's heading, or the number of lines if there is no section. */
  readonly headingLine: number
  readonly context: readonly number[]
}

/** Reads a text for comparison. Never throws. */
export function readSide(text: string): Side {
  const { contract, structure, lines } = parseWithStructure(text)
  const { section } = structure
  const headingLine = section === null ? lines.count : lines.lineAt(section.heading.from)
  const endsText = section === null || section.to === text.length
  const sectionEnd = endsText ? lines.count : lines.lineAt(section.to)
  const tasks = runnableTasks(contract).map((task) => taskLines(task, lines))
  const indexes = Array.from({ length: lines.count }, (_, line) => line)
  return {
    lines,
    tasks,
    byId: new Map(tasks.map((each) => [each.task.id, each])),
    headingLine,
    context: indexes.filter((line) => line < headingLine || line >= sectionEnd),
  }
}

/** Returns the text of the lines, with the breaks between them. */
export function textOf(lines: SourceLines, { from, to }: LineSpan): string {
  if (from >= to) return ''
  return lines.text.slice(from === 0 ? bodyStart(lines.text) : lines.start(from), lines.end(to - 1))
}

/** Returns the text of the lines with indentation, quote marks and wrapping normalized. */
export function wordsOf(lines: SourceLines, span: LineSpan): string {
  return textOf(lines, span)
    .split(/\r\n?|\n/)
    .map((line) => line.replace(/^[\s>]+/, '').trim())
    .join('\n')
    .trim()
}

function taskLines(task: TaskDefinition, lines: SourceLines): TaskLines {
  const from = task.line - 1
  const span = withoutBlankEnd(lines, { from, to: lines.lineAt(task.itemRange.end.offset) + 1 })
  const starts = task.criteria.map(({ line }) => line - 1)
  const criteria = task.criteria.map(({ text, checked }, index): CriterionLines => {
    const own = withoutBlankEnd(lines, { from: starts[index] ?? from, to: starts[index + 1] ?? span.to })
    const said = wordsOf(lines, own)
      .replace(/^[-*+]\s+|^\d+[.)]\s+/, '')
      .replace(/^\[[ xX]\]\s*/, '')
    return { said, text, checked, span: own }
  })
  return { task, span, criteria, details: { from: from + 1, to: Math.max(starts[0] ?? span.to, from + 1) } }
}

function withoutBlankEnd(lines: SourceLines, { from, to }: LineSpan): LineSpan {
  let end = to
  while (end > from + 1 && textOf(lines, { from: end - 1, to: end }).trim() === '') end--
  return { from, to: end }
}
