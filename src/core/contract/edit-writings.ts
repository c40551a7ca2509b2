import type { ContractEdit, FieldChange, NewTask } from './contract-edit.ts'
import { insertLines, moveLines, neighbouringBreak, removeLines } from './line-edit.ts'
import { SourceLines } from './source-lines.ts'
import { readStructure } from './structure.ts'
import { changeLine, newLine } from './task-line-edit.ts'
import type { Contract, TaskDefinition } from './types.ts'

/**
 * Returns the candidate texts for the edit's result, plainest first; the caller uses the first one that reads back as intended. The edit
 * must be normalized and refer to existing tasks.
 */
export function contractWritings(text: string, { tasks }: Contract, edit: ContractEdit): readonly string[] {
  const lines = new SourceLines(text)
  if (edit.kind === 'add') {
    const neighbour = tasks[edit.after ?? tasks.length - 1]
    return neighbour === undefined ? addFirst(lines, edit.task) : addBehind(lines, neighbour, edit.task)
  }
  const task = tasks[edit.task]
  if (task === undefined) return []
  switch (edit.kind) {
    case 'remove':
      return remove(lines, task)
    case 'move': {
      const target = tasks[edit.to]
      return target === undefined ? [] : move(lines, task, target)
    }
    case 'toggle': {
      const box = contentStart(text, task) - 2
      return [`${text.slice(0, box)}${task.checked ? ' ' : 'x'}${text.slice(box + 1)}`]
    }
    case 'set':
      return set(text, task, edit.change)
  }
}

function set(text: string, task: TaskDefinition, change: FieldChange): readonly string[] {
  const from = contentStart(text, task)
  const to = task.range.end.offset
  return changeLine(text.slice(from, to), change).map(
    (content) => text.slice(0, from) + content + text.slice(to),
  )
}

/** Returns where a task line continues after its checkbox. */
function contentStart(text: string, { range }: TaskDefinition): number {
  return text.indexOf(']', range.start.offset) + 1
}

/** Returns the first and last line (from 0) of a task's list item. */
function itemLines(lines: SourceLines, { line, itemRange }: TaskDefinition): { first: number; last: number } {
  return { first: line - 1, last: lines.lineAt(itemRange.end.offset) }
}

/** Returns what precedes a task's marker; `null` if that is more than indentation and quote marks. */
function indentation(lines: SourceLines, { line, range }: TaskDefinition): string | null {
  const before = lines.text.slice(lines.start(line - 1), range.start.offset)
  return /^[ \t>]*$/.test(before) ? before : null
}

function remove(lines: SourceLines, task: TaskDefinition): readonly string[] {
  if (indentation(lines, task) === null) return []
  const { first, last } = itemLines(lines, task)
  const { text } = lines
  // Keep an empty line if the lines around it would otherwise merge.
  return [removeLines(lines, first, last), text.slice(0, lines.start(first)) + text.slice(lines.end(last))]
}

function move(lines: SourceLines, task: TaskDefinition, to: TaskDefinition): readonly string[] {
  if (task === to) return [lines.text]
  const own = indentation(lines, task)
  const there = indentation(lines, to)
  if (own === null || there === null) return []
  const { first, last } = itemLines(lines, task)
  const target = task.line < to.line ? itemLines(lines, to).last + 1 : to.line - 1
  const reindent = (content: string) =>
    content.startsWith(own) ? there + content.slice(own.length) : content
  return [
    moveLines(lines, { first, last, target }, (content) => content),
    moveLines(lines, { first, last, target }, reindent),
  ]
}

function addBehind(lines: SourceLines, neighbour: TaskDefinition, task: NewTask): readonly string[] {
  const marker = lines.text.slice(neighbour.range.start.offset, contentStart(lines.text, neighbour) - 3)
  const { last } = itemLines(lines, neighbour)
  // After another marker on the same line, align the new item with the old one's column.
  const before = lines.text.slice(lines.start(neighbour.line - 1), neighbour.range.start.offset)
  const indent = indentation(lines, neighbour) ?? before.replace(/[^\s>]/g, ' ')
  return taskLines(task, indent + marker).map((line) => insertLines(lines, last, [line]))
}

function addFirst(lines: SourceLines, task: NewTask): readonly string[] {
  const { section } = readStructure(lines.text)
  const written = taskLines(task, '- ')
  if (section === null) return written.map((line) => appendSection(lines, line))
  const heading = lines.lineAt(section.heading.to - 1)
  let last = section.to === lines.text.length ? lines.count - 1 : lines.lineAt(section.to) - 1
  while (last > heading && lines.text.slice(lines.start(last), lines.end(last)).trim() === '') last--
  return written.flatMap((line) => [
    insertLines(lines, last, ['', line]),
    insertLines(lines, last, ['', line, '']),
    insertLines(lines, heading, ['', line, '']),
  ])
}

/** Returns the text with a Tasks section at its end, after an empty line. It ends with a line break only if the text did. */
function appendSection(lines: SourceLines, line: string): string {
  const { text } = lines
  const lineBreak = neighbouringBreak(lines, lines.count - 1)
  const isBlank = (index: number) => text.slice(lines.start(index), lines.end(index)).trim() === ''
  const last = lines.count - 1
  const isEmpty = lines.start(0) === text.length
  const endsLine = lines.start(last) === text.length
  let gap = lineBreak
  if (isEmpty || (endsLine && last > 0 && isBlank(last - 1))) gap = ''
  else if (!endsLine) gap = lineBreak + lineBreak
  return `${text}${gap}## Tasks${lineBreak}${lineBreak}${line}${endsLine ? lineBreak : ''}`
}

function taskLines(task: NewTask, marker: string): readonly string[] {
  return newLine(task).map((content) => `${marker}[${task.checked ? 'x' : ' '}]${content}`)
}
