import { readCriterionLine } from './criterion-line.ts'
import { DiagnosticList } from './diagnostic-list.ts'
import { lintTasks } from './lint.ts'
import { nearTasks } from './near-tasks.ts'
import { isLikeUtf16 } from './other-encoding.ts'
import type { ParseOptions } from './parse-options.ts'
import { bodyStart, SourceLines } from './source-lines.ts'
import {
  type Checkbox,
  type ListItem,
  MAX_CONTRACT_LENGTH,
  readStructure,
  type Structure,
} from './structure.ts'
import { hintOf, type LineField, readTaskLine, type TaskLine } from './task-line.ts'
import type { AcceptanceCriterion, Contract, SourceRange, TaskDefinition } from './types.ts'

export { slugify } from './task-line.ts'

/** More tasks than this get a warning that they are too many for one agent. */
const ADVISED_TASKS = 7

/**
 * The most tasks and criteria that are read. Real contracts have a thousandth of this; the limit keeps a hostile text from filling the
 * memory.
 */
export const MAX_CONTRACT_ITEMS = 10_000

/**
 * Parses a `HEARTBEAT.md` into tasks, context and diagnostics. Accepts any text: problems are in the diagnostics, sorted by
 * position, at most 1,000 of each code. Nothing after the first 1,048,576 characters, or after 10,000 tasks and criteria, is
 * read (error `too-large`).
 */
export function parseContract(text: string, options: ParseOptions = {}): Contract {
  return parseWithStructure(text, options).contract
}

/** Parses like `parseContract`, and also returns the lines and blocks. */
export function parseWithStructure(
  text: string,
  options: ParseOptions = {},
): { readonly contract: Contract; readonly structure: Structure; readonly lines: SourceLines } {
  const lines = new SourceLines(text)
  const structure = readStructure(text)
  const diagnostics = new DiagnosticList()
  const tasks = readItems(structure, lines, diagnostics)
  checkNearTasks(structure, lines, diagnostics)
  checkIds(tasks, diagnostics)
  checkCount(tasks, structure, lines, diagnostics)
  if (text.length > MAX_CONTRACT_LENGTH) {
    const message = `A contract may have at most ${MAX_CONTRACT_LENGTH} characters. Nothing after this point is read.`
    diagnostics.add('too-large', message, lines.range(MAX_CONTRACT_LENGTH, MAX_CONTRACT_LENGTH))
  }
  lintTasks(tasks, diagnostics, options)
  const context = readContext(structure, lines)
  return { contract: { tasks, context, diagnostics: diagnostics.sorted() }, structure, lines }
}

/** Returns the tasks that can run: those with an id, and the first of several with the same id. */
export function runnableTasks(contract: Contract): readonly TaskDefinition[] {
  const seen = new Set([''])
  return contract.tasks.filter(({ id }) => !seen.has(id) && seen.add(id))
}

function readContext({ section }: Structure, lines: SourceLines): string {
  const { text } = lines
  const body = bodyStart(text)
  if (section === null) return text.slice(body)
  const end = section.to === text.length ? section.to : lines.start(lines.lineAt(section.to))
  return text.slice(body, lines.start(lines.lineAt(section.heading.from))) + text.slice(end)
}

/** A task whose criteria are still being collected. */
type GrowingTask = TaskDefinition & { readonly criteria: AcceptanceCriterion[] }

function readItems(
  { section, items }: Structure,
  lines: SourceLines,
  diagnostics: DiagnosticList,
): GrowingTask[] {
  const tasks: GrowingTask[] = []
  let taskTo = 0
  let count = 0
  for (const item of items) {
    const line = lineRange(item.from, lines)
    const { checkbox } = item
    if (section === null || item.from < section.heading.to || item.from >= section.to) {
      if (checkbox !== null) {
        const message = 'This checkbox is not a task. Move it into the "## Tasks" section, or remove its box.'
        diagnostics.add('checkbox-outside-tasks', message, line)
      }
    } else if (++count > MAX_CONTRACT_ITEMS) {
      const message = `A contract may have at most ${MAX_CONTRACT_ITEMS} tasks and criteria. Nothing after this point is read.`
      diagnostics.add('too-large', message, line)
      break
    } else if (item.from < taskTo) {
      const criterion = readCriterion(item, lines, diagnostics)
      if (criterion !== null) tasks.at(-1)?.criteria.push(criterion)
    } else if (item.isQuoted) {
      // A quoted task line is a citation, not a task.
    } else if (checkbox !== null && !item.ordered) {
      tasks.push(readTask(item, checkbox, lines, diagnostics))
      taskTo = item.to
    } else {
      diagnostics.add('malformed-task', malformed(item), line)
    }
  }
  return tasks
}

function checkNearTasks(
  { section, paragraphs }: Structure,
  lines: SourceLines,
  diagnostics: DiagnosticList,
): void {
  if (section === null) return
  for (const paragraph of paragraphs) {
    if (paragraph.from < section.heading.to || paragraph.from >= section.to) continue
    for (const { from, to, isTooDeep } of nearTasks(paragraph, lines)) {
      const message = isTooDeep
        ? 'This line looks like a task but is not one: its indentation makes it continue the text before it. Indent it less.'
        : 'This line looks like a task but is not one. Start it with "- [ ] ", with a space after the "-" and after the box.'
      diagnostics.add('malformed-task', message, lines.range(from, to))
    }
  }
}

function malformed({ ordered, checkbox }: ListItem): string {
  return ordered && checkbox !== null
    ? 'A numbered item is not a task. Begin the line with "- [ ]".'
    : 'This list item is not a task. Write it as "- [ ] task_id | Description", or move it out of the section.'
}

function lineRange(from: number, lines: SourceLines): SourceRange {
  return lines.range(from, lines.end(lines.lineAt(from)))
}

function readCriterion(
  item: ListItem,
  lines: SourceLines,
  diagnostics: DiagnosticList,
): AcceptanceCriterion | null {
  const from = item.checkbox?.to ?? item.paragraph?.from ?? item.to
  const content = lines.text.slice(from, item.paragraph?.to ?? item.to)
  const { text, verify, wordsEnd, hasFurtherHint } = readCriterionLine(content)
  // Join wrapped lines into one sentence, without the marks of a surrounding quote.
  const words = text
    .split(/\r\n?|\n/)
    .map((line, index) => (index === 0 ? line : line.replace(/^[\s>]+/, '')).trim())
    .join(' ')
    .trim()
  if (words === '' && item.checkbox === null) return null
  const line = lines.lineAt(item.from)
  if (hasFurtherHint) {
    const message = `This criterion has several checks, and only the last one counts: "${shorten(verify ?? '')}". Join them with "&&".`
    diagnostics.add('two-hints', message, lines.range(item.from, lines.end(line)))
  }
  return {
    text: words,
    checked: item.checkbox?.checked ?? null,
    verify,
    line: line + 1,
    range: lines.range(item.from, lines.end(line)),
    hintRange: verify === null ? null : lines.range(from + wordsEnd, from + content.trimEnd().length),
  }
}

function readTask(
  item: ListItem,
  checkbox: Checkbox,
  lines: SourceLines,
  diagnostics: DiagnosticList,
): GrowingTask {
  const lineIndex = lines.lineAt(item.from)
  const lineEnd = lines.end(lineIndex)
  const line = readTaskLine(lines.text.slice(checkbox.to, lineEnd))
  const range = lines.range(item.from, lineEnd)
  const place = (field: LineField) =>
    lines.range(checkbox.to + field.trimmedFrom, checkbox.to + field.trimmedTo)
  checkFields(line, place, diagnostics)
  return {
    id: line.id,
    description: line.description,
    required: line.required,
    verify: hintOf(line),
    maxAttempts: line.maxAttempts,
    mayChange: line.mayChange,
    writesNoFiles: line.writesNoFiles,
    when: line.when,
    model: line.model,
    checked: checkbox.checked,
    criteria: [],
    line: lineIndex + 1,
    range,
    itemRange: lines.range(item.from, Math.max(lineEnd, lines.end(lines.lineAt(item.to - 1)))),
    fields: line.fields.map((field) => ({ kind: field.kind, range: place(field) })),
  }
}

function checkFields(
  line: TaskLine,
  place: (field: LineField) => SourceRange,
  diagnostics: DiagnosticList,
): void {
  for (const field of line.badMaxAttempts) {
    const message = 'max_attempts must be a whole number of at least 1, such as "max_attempts: 3". Using 3.'
    diagnostics.add('bad-max-attempts', message, place(field))
  }
  if (line.blankDescription !== null) {
    const message =
      'This task has no description, so the agent would not know what to do. Write one after the id.'
    diagnostics.add('empty-description', message, place(line.blankDescription))
  }
  for (const field of line.contraryRequired) {
    const counts = line.required ? 'required' : 'optional'
    const message = `This task is both required and optional. "${counts}" comes first, so it counts. Remove the other one.`
    diagnostics.add('required-and-optional', message, place(field))
  }
  for (const field of line.furtherHints) {
    const message = `This task already has the check "${shorten(line.hint ?? '')}". Join both with "&&", or remove one.`
    diagnostics.add('two-hints', message, place(field))
  }
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}

function checkIds(tasks: readonly TaskDefinition[], diagnostics: DiagnosticList): void {
  const lineOfId = new Map<string, number>()
  for (const { id, line, range, fields } of tasks) {
    const firstLine = lineOfId.get(id)
    if (id === '') {
      const message = 'This task has no id. Write one after the box, such as "- [ ] task_id | Description".'
      diagnostics.add('empty-id', message, range)
    } else if (firstLine === undefined) {
      lineOfId.set(id, line)
    } else {
      const message = `The id "${shorten(id)}" is already used on line ${firstLine}. Choose a different id.`
      diagnostics.add('duplicate-id', message, fields[0]?.range ?? range)
    }
  }
}

function checkCount(
  tasks: readonly TaskDefinition[],
  { section, nearHeading }: Structure,
  lines: SourceLines,
  diagnostics: DiagnosticList,
): void {
  const surplus = tasks[ADVISED_TASKS]
  if (surplus !== undefined) {
    const message = `These are ${tasks.length} tasks. More than ${ADVISED_TASKS} are hard for an agent to keep track of.`
    diagnostics.add('too-many-tasks', message, surplus.range)
  }
  if (tasks.length > 0) return
  if (section === null && nearHeading !== null) {
    const { from, to } = nearHeading
    const message = `This heading is not the Tasks section, so nothing below it is read. Did you mean "## Tasks"?`
    diagnostics.add('no-tasks', message, lines.range(from, to))
  } else if (section === null) {
    const body = bodyStart(lines.text)
    // Windows editors call UTF-16 "Unicode". It has a zero byte next to each letter, so no heading is found.
    const message = lines.text.includes('\0')
      ? isLikeUtf16(lines.text)
        ? 'There is no "## Tasks" section. The text contains zero bytes, so it was probably saved as UTF-16. Save it as UTF-8.'
        : 'There is no "## Tasks" section. The file contains binary data. Restore it, or write it again as text.'
      : 'There is no "## Tasks" section. Add one with lines such as "- [ ] task_id | Description".'
    diagnostics.add('no-tasks', message, lines.range(body, body))
  } else {
    const message = 'The section has no tasks. Add a line such as "- [ ] task_id | Description".'
    diagnostics.add('no-tasks', message, lineRange(section.heading.from, lines))
  }
}
