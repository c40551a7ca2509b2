import { diffArrays } from 'diff'
import type { ProposalItemKind } from '../vocabulary/proposal.ts'
import {
  type CriterionLines,
  type LineSpan,
  readSide,
  type Side,
  type TaskLines,
  textOf,
  wordsOf,
} from './difference-sides.ts'
import { itemKey, type ProposalItem } from './proposal-items.ts'
import type { SourceLines } from './source-lines.ts'
import type { TaskDefinition } from './types.ts'

/** One thing that differs, and its lines in each text. */
export interface DifferenceUnit {
  readonly item: ProposalItem
  /** `null` if its lines can't be separated from the tasks' lines. */
  readonly before: LineSpan | null
  readonly after: LineSpan | null
}

/** Two versions of one contract, side by side. */
export interface ContractDifference {
  readonly before: SourceLines
  readonly after: SourceLines
  /** In task order, with additions and notes last. */
  readonly units: readonly DifferenceUnit[]
}

/** If more lines of notes differ, they are reported as one changed note, because people won't answer that many one by one. */
const MAX_NOTE_EDITS = 1_000

/**
 * Returns the differences between two versions of a contract that affect a run: tasks by id, criteria by content, notes by line. Ignores
 * everything else: order, blank lines, and lines of the section that are not tasks.
 */
export function contractDifference(before: string, after: string): ContractDifference {
  const old = readSide(before)
  const now = readSide(after)
  const oldPlaces = placesOf(old, now)
  const kept = old.tasks.flatMap((task, index) => {
    const current = now.byId.get(task.task.id)
    return current === undefined
      ? [removedTask(task, old, oldPlaces[index] ?? null)]
      : taskUnits(task, current, old, now)
  })
  const newPlaces = placesOf(now, old)
  const added = now.tasks.flatMap((task, index) =>
    old.byId.has(task.task.id) ? [] : [addedTask(task, now, newPlaces[index] ?? null)],
  )
  return { before: old.lines, after: now.lines, units: [...kept, ...added, ...noteUnits(old, now)] }
}

/** Returns the items that differ between two texts. */
export function contractItems(before: string, after: string): readonly ProposalItem[] {
  return before === after ? [] : contractDifference(before, after).units.map(({ item }) => item)
}

/** Returns whether both lists contain the same items, in any order. */
export function isSameItems(left: readonly ProposalItem[], right: readonly ProposalItem[]): boolean {
  if (left.length !== right.length) return false
  const keys = right.map(itemKey).sort()
  const others = left.map(itemKey).sort()
  return others.every((key, index) => key === keys[index])
}

function removedTask(task: TaskLines, old: Side, place: LineSpan | null): DifferenceUnit {
  const item = itemOf('task_removed', task.task.id, textOf(old.lines, task.span), null)
  return { item, before: task.span, after: place }
}

function addedTask(task: TaskLines, now: Side, place: LineSpan | null): DifferenceUnit {
  const item = itemOf('task_added', task.task.id, null, textOf(now.lines, task.span))
  return { item, before: place, after: task.span }
}

/** Returns, for each task of `own` that `other` lacks, its place there: after the task that it follows, or before the first one. */
function placesOf(own: Side, other: Side): readonly (LineSpan | null)[] {
  const first = other.tasks[0]?.span.from ?? other.headingLine + 1
  let place = first > other.lines.count ? null : { from: first, to: first }
  return own.tasks.map(({ task }) => {
    const here = place
    const behind = other.byId.get(task.id)
    if (behind !== undefined) place = { from: behind.span.to, to: behind.span.to }
    return here
  })
}

/** Separates the globs of a task, which never contain a line break. */
export const GLOB_BREAK = '\n'

/** The parts of a task on its own line, by the kind of item they are reported as. */
const LINE_KINDS: readonly (readonly [ProposalItemKind, (task: TaskDefinition) => string])[] = [
  ['required', ({ required }) => (required ? 'required' : 'optional')],
  ['hint', ({ verify }) => verify],
  ['max_attempts', ({ maxAttempts }) => String(maxAttempts)],
  ['may_change', ({ mayChange }) => mayChange.join(GLOB_BREAK)],
  ['files', ({ writesNoFiles }) => (writesNoFiles ? 'never' : '')],
  ['when', ({ when }) => when ?? ''],
  ['model', ({ model }) => model ?? ''],
  ['description', ({ description }) => description],
  ['box', ({ checked }) => boxOf(checked)],
]

function taskUnits(was: TaskLines, is: TaskLines, old: Side, now: Side): DifferenceUnit[] {
  const { id } = was.task
  const lineOf = ({ span }: TaskLines): LineSpan => ({ from: span.from, to: span.from + 1 })
  const units = LINE_KINDS.flatMap(([kind, read]): DifferenceUnit[] => {
    const before = read(was.task)
    const after = read(is.task)
    return before === after
      ? []
      : [{ item: itemOf(kind, id, before, after), before: lineOf(was), after: lineOf(is) }]
  })
  const before = wordsOf(old.lines, was.details)
  const after = wordsOf(now.lines, is.details)
  if (before !== after) {
    units.push({ item: itemOf('details', id, before, after), before: was.details, after: is.details })
  }
  return [...units, ...criterionUnits(was, is)]
}

function criterionUnits(was: TaskLines, is: TaskLines): DifferenceUnit[] {
  const { id } = was.task
  const left = [...is.criteria]
  const units: DifferenceUnit[] = []
  for (const criterion of was.criteria) {
    const index = left.findIndex(({ said }) => said === criterion.said)
    const [same] = index < 0 ? [] : left.splice(index, 1)
    if (same === undefined) {
      const end = { from: is.span.to, to: is.span.to }
      units.push({
        item: itemOf('criterion_removed', id, criterion.said, null),
        before: criterion.span,
        after: end,
      })
    } else if (same.checked !== criterion.checked) units.push(criterionBox(id, criterion, same))
  }
  const end = { from: was.span.to, to: was.span.to }
  return [
    ...units,
    ...left.map(
      ({ said, span }): DifferenceUnit => ({
        item: itemOf('criterion_added', id, null, said),
        before: end,
        after: span,
      }),
    ),
  ]
}

function criterionBox(id: string, was: CriterionLines, is: CriterionLines): DifferenceUnit {
  return {
    item: itemOf('criterion_box', id, boxOf(was.checked), `${boxOf(is.checked)}`),
    before: was.span,
    after: is.span,
  }
}

function boxOf(checked: boolean | null): string {
  if (checked === null) return 'no box'
  return checked ? 'checked' : 'unchecked'
}

function noteUnits(old: Side, now: Side): DifferenceUnit[] {
  const before = contextLines(old)
  const after = contextLines(now)
  const parts = diffArrays(before, after, { maxEditLength: MAX_NOTE_EDITS })
  const hunks =
    parts === undefined
      ? [{ before: { from: 0, to: before.length }, after: { from: 0, to: after.length } }]
      : hunksOf(parts)
  return hunks.flatMap((hunk): DifferenceUnit[] => {
    const was = before.slice(hunk.before.from, hunk.before.to).join('\n')
    const is = after.slice(hunk.after.from, hunk.after.to).join('\n')
    if (was.trim() === is.trim()) return []
    const item =
      was.trim() === '' ? itemOf('note_added', null, null, is) : itemOf('note_changed', null, was, is || null)
    return [
      {
        item,
        before: contextSpan(hunk.before, old, isBehindSection(hunk.after, now)),
        after: contextSpan(hunk.after, now, isBehindSection(hunk.before, old)),
      },
    ]
  })
}

interface Hunk {
  readonly before: LineSpan
  readonly after: LineSpan
}

function hunksOf(
  parts: readonly {
    readonly value: readonly string[]
    readonly added?: boolean
    readonly removed?: boolean
  }[],
): Hunk[] {
  const hunks: Hunk[] = []
  let before = 0
  let after = 0
  let open: { before: number; after: number } | null = null
  const close = (): void => {
    if (open !== null)
      hunks.push({ before: { from: open.before, to: before }, after: { from: open.after, to: after } })
    open = null
  }
  for (const { value, added, removed } of parts) {
    if (added !== true && removed !== true) close()
    else open ??= { before, after }
    if (added !== true) before += value.length
    if (removed !== true) after += value.length
  }
  close()
  return hunks
}

function contextLines({ context, lines }: Side): string[] {
  return context.map((line) => textOf(lines, { from: line, to: line + 1 }))
}

/** Returns whether the hunk's lines are after the section; `null` if there is no section on this side. */
function isBehindSection({ from, to }: LineSpan, { context, headingLine }: Side): boolean | null {
  return from === to ? null : (context[from] ?? 0) > headingLine
}

/** Returns a range of context lines; `null` if the section lies between them. */
function contextSpan({ from, to }: LineSpan, side: Side, behind: boolean | null): LineSpan | null {
  const { context, lines, headingLine } = side
  if (from < to) {
    const first = context[from] ?? 0
    const last = context[to - 1] ?? 0
    return last - first === to - 1 - from ? { from: first, to: last + 1 } : null
  }
  const isBetween =
    from > 0 && (context[from - 1] ?? 0) < headingLine && (context[from] ?? lines.count) > headingLine
  const at = isBetween && behind === false ? headingLine : (context[from] ?? lines.count)
  return { from: at, to: at }
}

function itemOf(
  kind: ProposalItemKind,
  taskId: string | null,
  before: string | null,
  after: string | null,
): ProposalItem {
  return { kind, taskId, before, after }
}
