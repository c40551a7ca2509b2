import { readCriterionLine, writeCriterionHint } from './criterion-line.ts'
import type { EditResult } from './edit.ts'
import { type TaskMeaning, tasksMeaning } from './edit-meaning.ts'
import { insertLines, removeLines } from './line-edit.ts'
import { parseContract } from './parse.ts'
import { SourceLines } from './source-lines.ts'
import { type ListItem, MAX_CONTRACT_LENGTH, readStructure } from './structure.ts'
import type { Contract, TaskDefinition } from './types.ts'

/** One edit of a task's acceptance criteria. Both are identified by their index, from 0. */
export type CriterionEdit =
  /** Inserted after the task's last line. */
  | { readonly kind: 'add'; readonly task: number; readonly text: string }
  /** `verify`: the criterion's own check. `null` removes it; if omitted, it stays. */
  | {
      readonly kind: 'set'
      readonly task: number
      readonly criterion: number
      readonly text: string
      readonly verify?: string | null
    }
  /** Removed together with everything nested in it. */
  | { readonly kind: 'remove'; readonly task: number; readonly criterion: number }
  /** Only for a criterion with a box. */
  | { readonly kind: 'toggle'; readonly task: number; readonly criterion: number }

type Criterion = TaskMeaning['criteria'][number]

/** The candidate texts for the edit's result, and the criteria that the task must have afterwards. */
interface Plan {
  readonly texts: readonly string[]
  readonly criteria: readonly Criterion[]
}

/**
 * Returns the text with the edit applied, such that `parseContract` shows exactly the edit. Every other line stays as it is,
 * line endings included. Refuses an edit that would read back as anything else. Never throws.
 */
export function applyCriterionEdit(text: string, edit: CriterionEdit): EditResult {
  if (text.length > MAX_CONTRACT_LENGTH) return { ok: false, reason: 'The contract is too large to edit.' }
  const contract = parseContract(text)
  const task = contract.tasks[edit.task]
  if (task === undefined) return { ok: false, reason: 'This task is no longer in the contract.' }
  const plan = planEdit(text, task, edit)
  if ('reason' in plan) return { ok: false, reason: plan.reason }
  const written = plan.texts.find((candidate) =>
    isExactly(text, contract, candidate, edit.task, plan.criteria),
  )
  return written === undefined ? { ok: false, reason: UNWRITABLE } : { ok: true, text: written }
}

const UNWRITABLE =
  'This criterion cannot be written as one list item here. Change its wording, or edit the text instead.'

function planEdit(
  text: string,
  task: TaskDefinition,
  edit: CriterionEdit,
): Plan | { readonly reason: string } {
  const lines = new SourceLines(text)
  const before = task.criteria.map(
    ({ text: words, checked, verify }): Criterion => ({ text: words, checked, verify }),
  )
  if (edit.kind === 'add' || edit.kind === 'set') {
    if (edit.text.trim() === '') return { reason: 'Enter the text of the criterion.' }
    if (/[\r\n]/.test(edit.text))
      return { reason: 'A criterion must fit on one line. Remove the line breaks.' }
  }
  const items = criterionItems(text, task)
  if (edit.kind === 'add') return planAdd(lines, task, items, before, edit.text.trim())
  const item = items[edit.criterion]
  const criterion = before[edit.criterion]
  if (item === undefined || criterion === undefined || items.length !== before.length)
    return { reason: 'This criterion is no longer in the contract.' }
  switch (edit.kind) {
    case 'set': {
      const from = item.checkbox?.to ?? item.paragraph?.from ?? item.to
      const space = item.checkbox === null ? '' : ' '
      const words = edit.text.trim()
      // Keep trailing white space: the parser counts the "\r" of a line break as part of it.
      const end = from + text.slice(from, item.paragraph?.to ?? item.to).trimEnd().length
      const verify = edit.verify === undefined ? criterion.verify : edit.verify?.trim() || null
      const changed = text.slice(0, from) + space + words + writeCriterionHint(verify) + text.slice(end)
      return {
        texts: [changed],
        criteria: before.with(edit.criterion, { ...criterion, text: words, verify }),
      }
    }
    case 'toggle': {
      if (item.checkbox === null) return { reason: 'This criterion has no box to check.' }
      const box = item.checkbox.from + 1
      const texts = [`${text.slice(0, box)}${criterion.checked ? ' ' : 'x'}${text.slice(box + 1)}`]
      return { texts, criteria: before.with(edit.criterion, { ...criterion, checked: !criterion.checked }) }
    }
    case 'remove': {
      const nested = items.filter(({ from }) => from > item.from && from < item.to).length
      const last = lines.lineAt(item.to - 1)
      const texts = [removeLines(lines, lines.lineAt(item.from), last)]
      return { texts, criteria: before.toSpliced(edit.criterion, 1 + nested) }
    }
  }
}

/** Returns the list items that are a task's criteria, in order. */
function criterionItems(text: string, { range, itemRange }: TaskDefinition): readonly ListItem[] {
  return readStructure(text).items.filter(
    ({ from, checkbox, paragraph }) =>
      from > range.start.offset && from < itemRange.end.offset && (checkbox !== null || paragraph !== null),
  )
}

function planAdd(
  lines: SourceLines,
  task: TaskDefinition,
  items: readonly ListItem[],
  before: readonly Criterion[],
  words: string,
): Plan {
  const { text } = lines
  // Direct children, not those nested in another criterion, show how the task's criteria are written.
  const direct = items.filter((item) => !items.some(({ from, to }) => from < item.from && item.from < to))
  const last = direct.at(-1)
  const marker = last?.ordered === true ? '-' : text.charAt(last?.from ?? task.range.start.offset)
  const isBoxed = last === undefined || last.checkbox !== null
  const indents = last === undefined ? indentsBelow(lines, task) : [indentOf(lines, last.from)]
  const item = `${marker} ${isBoxed ? '[ ] ' : ''}${words}`
  const at = lines.lineAt(task.itemRange.end.offset)
  return {
    texts: [...indents, ...indentsBelow(lines, task)].map((indent) =>
      insertLines(lines, at, [indent + item]),
    ),
    criteria: [...before, newCriterion(words, isBoxed)],
  }
}

/** Returns a new criterion. Its text may include its check. */
function newCriterion(words: string, isBoxed: boolean): Criterion {
  const { text, verify } = readCriterionLine(words)
  return { text, checked: isBoxed ? false : null, verify }
}

/** Returns what precedes a list item on its line, with other markers as spaces. */
function indentOf(lines: SourceLines, from: number): string {
  return lines.text.slice(lines.start(lines.lineAt(from)), from).replace(/[^\s>]/g, ' ')
}

/** Returns the indentations that nest an item in the task, the usual one first. */
function indentsBelow(lines: SourceLines, task: TaskDefinition): readonly string[] {
  const own = indentOf(lines, task.range.start.offset)
  return ['  ', '    ', '\t'].map((deeper) => own + deeper)
}

/** Returns whether a text says the same as the old one, except that the task has exactly these criteria. */
function isExactly(
  text: string,
  contract: Contract,
  candidate: string,
  index: number,
  criteria: readonly Criterion[],
): boolean {
  const result = parseContract(candidate)
  if (result.context !== contract.context) return false
  // The edit touches the lines below the task line. The plan determines which of them may differ.
  const without = (meaning: readonly TaskMeaning[]) =>
    meaning.map((task, at) => (at === index ? { ...task, rest: '', criteria } : task))
  const before = tasksMeaning(text, contract)
  const after = tasksMeaning(candidate, result)
  return (
    JSON.stringify(without(before)) === JSON.stringify(without(after)) &&
    JSON.stringify(after[index]?.criteria) === JSON.stringify(criteria)
  )
}
