import { readCriterionLine, writeCriterionHint } from './criterion-line.ts'
import type { EditResult } from './edit.ts'
import { type TaskMeaning, tasksMeaning } from './edit-meaning.ts'
import { insertLines, removeLines } from './line-edit.ts'
import { parseContract } from './parse.ts'
import { SourceLines } from './source-lines.ts'
import { type ListItem, MAX_CONTRACT_LENGTH, readStructure } from './structure.ts'
import type { Contract, TaskDefinition } from './types.ts'

/** One edit of a task's acceptance criteria; both are named by their index, from 0. */
export type CriterionEdit =
  /** Behind the task's last line. */
  | { readonly kind: 'add'; readonly task: number; readonly text: string }
  /** `verify`: its own hint; `null` takes it away, left out it stays. */
  | {
      readonly kind: 'set'
      readonly task: number
      readonly criterion: number
      readonly text: string
      readonly verify?: string | null
    }
  /** With what is nested in it. */
  | { readonly kind: 'remove'; readonly task: number; readonly criterion: number }
  /** Only of one that has a box. */
  | { readonly kind: 'toggle'; readonly task: number; readonly criterion: number }

type Criterion = TaskMeaning['criteria'][number]

/** The texts that may be the edit's outcome, and the criteria that the task then has to have. */
interface Plan {
  readonly texts: readonly string[]
  readonly criteria: readonly Criterion[]
}

/**
 * The text with the edit of a criterion made, such that `parseContract` shows exactly the edit; every other line stays as it
 * is, line endings included. An edit that would read back as anything else is refused. Throws for no text and no edit.
 */
export function applyCriterionEdit(text: string, edit: CriterionEdit): EditResult {
  if (text.length > MAX_CONTRACT_LENGTH)
    return { ok: false, reason: 'The contract is too large to be edited.' }
  const contract = parseContract(text)
  const task = contract.tasks[edit.task]
  if (task === undefined) return { ok: false, reason: 'There is no such task in the contract any more.' }
  const plan = planEdit(text, task, edit)
  if ('reason' in plan) return { ok: false, reason: plan.reason }
  const written = plan.texts.find((candidate) =>
    isExactly(text, contract, candidate, edit.task, plan.criteria),
  )
  return written === undefined ? { ok: false, reason: UNWRITABLE } : { ok: true, text: written }
}

const UNWRITABLE =
  'The criterion cannot be written as one list item at this place: change its words, or edit the text instead.'

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
    if (edit.text.trim() === '') return { reason: 'A criterion needs words.' }
    if (/[\r\n]/.test(edit.text))
      return { reason: 'A criterion is one line: take the line breaks out of it.' }
  }
  const items = criterionItems(text, task)
  if (edit.kind === 'add') return planAdd(lines, task, items, before, edit.text.trim())
  const item = items[edit.criterion]
  const criterion = before[edit.criterion]
  if (item === undefined || criterion === undefined || items.length !== before.length)
    return { reason: 'There is no such criterion in the contract any more.' }
  switch (edit.kind) {
    case 'set': {
      const from = item.checkbox?.to ?? item.paragraph?.from ?? item.to
      const space = item.checkbox === null ? '' : ' '
      const words = edit.text.trim()
      // White space at the end stays: to the parser the "\r" of a line break is some of it.
      const end = from + text.slice(from, item.paragraph?.to ?? item.to).trimEnd().length
      const verify = edit.verify === undefined ? criterion.verify : edit.verify?.trim() || null
      const changed = text.slice(0, from) + space + words + writeCriterionHint(verify) + text.slice(end)
      return {
        texts: [changed],
        criteria: before.with(edit.criterion, { ...criterion, text: words, verify }),
      }
    }
    case 'toggle': {
      if (item.checkbox === null) return { reason: 'The criterion has no box to check.' }
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

/** The list items that are a task's criteria, in their order. */
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
  // Those that stand in the task itself, not in another criterion, show how it is written here.
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

/** A new criterion may be given with its hint, as it is written. */
function newCriterion(words: string, isBoxed: boolean): Criterion {
  const { text, verify } = readCriterionLine(words)
  return { text, checked: isBoxed ? false : null, verify }
}

/** What stands before a list item on its line, with other markers as spaces. */
function indentOf(lines: SourceLines, from: number): string {
  return lines.text.slice(lines.start(lines.lineAt(from)), from).replace(/[^\s>]/g, ' ')
}

/** The indentations with which an item may be nested in the task, the usual one first. */
function indentsBelow(lines: SourceLines, task: TaskDefinition): readonly string[] {
  const own = indentOf(lines, task.range.start.offset)
  return ['  ', '    ', '\t'].map((deeper) => own + deeper)
}

/** Whether a text says all that the old one says, and the task has these criteria and the same other lines. */
function isExactly(
  text: string,
  contract: Contract,
  candidate: string,
  index: number,
  criteria: readonly Criterion[],
): boolean {
  const result = parseContract(candidate)
  if (result.context !== contract.context) return false
  // The lines below the task line are where the edit is made: which of them may differ, the plan has seen to.
  const without = (meaning: readonly TaskMeaning[]) =>
    meaning.map((task, at) => (at === index ? { ...task, rest: '', criteria } : task))
  const before = tasksMeaning(text, contract)
  const after = tasksMeaning(candidate, result)
  return (
    JSON.stringify(without(before)) === JSON.stringify(without(after)) &&
    JSON.stringify(after[index]?.criteria) === JSON.stringify(criteria)
  )
}
