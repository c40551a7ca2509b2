import { parseWithStructure, runnableTasks } from './parse.ts'
import { bodyStart, type SourceLines } from './source-lines.ts'
import type { TaskDefinition } from './types.ts'

/** A stretch of whole lines, from 0; `to` is the first line behind it. Empty where both are equal: a place between lines. */
export interface LineSpan {
  readonly from: number
  readonly to: number
}

/** A criterion with the lines it takes; `said` is what stands in them, without box and indentation. */
export interface CriterionLines {
  readonly said: string
  readonly text: string
  readonly checked: boolean | null
  readonly span: LineSpan
}

/** A task with the lines it takes. */
export interface TaskLines {
  readonly task: TaskDefinition
  readonly span: LineSpan
  readonly criteria: readonly CriterionLines[]
  /** Between the task's line and its first criterion. */
  readonly details: LineSpan
}

/** One of two texts that are compared. */
export interface Side {
  readonly lines: SourceLines
  /** Those that would be run, in order. */
  readonly tasks: readonly TaskLines[]
  readonly byId: ReadonlyMap<string, TaskLines>
  /** Index of the line of the section's heading; the number of lines where there is no section. */
  readonly headingLine: number
  /** Indexes of the lines outside the section. */
  readonly context: readonly number[]
}

/** The text as it is compared. Throws for no text. */
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

/** The lines' text, with the breaks between them. */
export function textOf(lines: SourceLines, { from, to }: LineSpan): string {
  if (from >= to) return ''
  return lines.text.slice(from === 0 ? bodyStart(lines.text) : lines.start(from), lines.end(to - 1))
}

/** The same words, however they are indented, wrapped in quotes or broken into lines. */
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
