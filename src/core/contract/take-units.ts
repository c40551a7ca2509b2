import type { ProposalItemKind } from '../vocabulary/proposal.ts'
import type { ContractDifference, DifferenceUnit } from './difference.ts'
import { contractItems, GLOB_BREAK, isSameItems } from './difference.ts'
import { applyEdit, type FieldChange } from './edit.ts'
import { parseContract } from './parse.ts'
import type { ProposalItem } from './proposal-items.ts'
import { bodyStart, type SourceLines } from './source-lines.ts'

/**
 * Returns the text `before` with these units as in `after`; `null` if they can't be separated from the others. The result differs from
 * `before` in exactly these units.
 */
export function takeUnits(difference: ContractDifference, units: readonly DifferenceUnit[]): string | null {
  const { before, after } = difference
  if (units.length === difference.units.length) return after.text
  const text = splice(difference, units, 'after')
  const items = units.map(({ item }) => item)
  return text !== null && isSameItems(contractItems(before.text, text), items) ? text : null
}

/** Returns the text `after` with these units as in `before`; `null` if they can't be separated from the others. */
export function undoUnits(difference: ContractDifference, units: readonly DifferenceUnit[]): string | null {
  const { before } = difference
  if (units.length === difference.units.length) return before.text
  const text = splice(difference, units, 'before')
  const undone = new Set(units)
  const others = difference.units.filter((unit) => !undone.has(unit)).map(({ item }) => item)
  return text !== null && isSameItems(contractItems(before.text, text), others) ? text : null
}

type SideName = 'before' | 'after'

/** The parts of a task's own line. */
const LINE_KINDS: ReadonlySet<ProposalItemKind> = new Set([
  'required',
  'hint',
  'max_attempts',
  'description',
  'box',
  'may_change',
  'files',
])

interface Splice {
  readonly from: number
  readonly to: number
  readonly contents: readonly string[]
}

/** Returns the text of the other side with the units as on side `source`. */
function splice(
  difference: ContractDifference,
  units: readonly DifferenceUnit[],
  source: SideName,
): string | null {
  const target: SideName = source === 'after' ? 'before' : 'after'
  const splices: Splice[] = []
  const lineUnits = new Map<string, DifferenceUnit[]>()
  for (const unit of units) {
    const { kind, taskId } = unit.item
    const to = unit[target]
    const from = unit[source]
    if (to === null || from === null) return null
    if (LINE_KINDS.has(kind)) lineUnits.set(taskId ?? '', [...(lineUnits.get(taskId ?? '') ?? []), unit])
    else splices.push({ ...to, contents: contentsOf(difference[source], from.from, from.to) })
  }
  for (const [taskId, chosen] of lineUnits) {
    const all = difference.units.filter(({ item }) => item.taskId === taskId && LINE_KINDS.has(item.kind))
    const line = taskLine(difference, chosen, all, source)
    const place = chosen[0]?.[target]
    if (line === null || place == null) return null
    splices.push({ ...place, contents: [line] })
  }
  return spliced(difference[target], splices)
}

/** Returns a task's line with the chosen units as on side `source` and everything else as on the other. */
function taskLine(
  difference: ContractDifference,
  chosen: readonly DifferenceUnit[],
  all: readonly DifferenceUnit[],
  source: SideName,
): string | null {
  const target: SideName = source === 'after' ? 'before' : 'after'
  const [first] = chosen
  const from = first?.[source]
  const to = first?.[target]
  if (from == null || to == null) return null
  const sourceLine = contentsOf(difference[source], from.from, from.to)[0] ?? ''
  const targetLine = contentsOf(difference[target], to.from, to.to)[0] ?? ''
  const takesBox = chosen.some(({ item }) => item.kind === 'box')
  const fields = chosen.filter(({ item }) => item.kind !== 'box')
  if (fields.length === all.filter(({ item }) => item.kind !== 'box').length) {
    const line = fields.length === 0 ? targetLine : sourceLine
    return withBox(line, takesBox ? sourceLine : targetLine)
  }
  return withFields(withBox(targetLine, takesBox ? sourceLine : targetLine), fields, source)
}

const BOX = /\[[ xX]\]/

function withBox(line: string, model: string): string {
  return line.replace(BOX, BOX.exec(model)?.[0] ?? '[ ]')
}

/** Edits the line field by field in a contract that contains only it. */
function withFields(line: string, units: readonly DifferenceUnit[], source: SideName): string | null {
  const heading = '## Tasks\n\n'
  let text = heading + line.trimStart()
  for (const { item } of units) {
    const change = fieldChange(item, source)
    if (change === null || parseContract(text).tasks.length !== 1) return null
    const edited = applyEdit(text, { kind: 'set', task: 0, change })
    if (!edited.ok) return null
    text = edited.text
  }
  return line.slice(0, line.length - line.trimStart().length) + text.slice(heading.length)
}

function fieldChange(item: ProposalItem, source: SideName): FieldChange | null {
  const value = item[source] ?? ''
  switch (item.kind) {
    case 'description':
      return { field: 'description', value }
    case 'required':
      return { field: 'required', value: value === 'required' }
    case 'hint':
      return { field: 'verify', value }
    case 'max_attempts':
      return { field: 'maxAttempts', value: Number(value) }
    case 'may_change':
      return { field: 'mayChange', value: value === '' ? null : value.split(GLOB_BREAK) }
    case 'when':
    case 'model':
      return { field: item.kind, value: value === '' ? null : value }
    case 'files':
      return { field: 'writesNoFiles', value: value === 'never' }
    default:
      return null
  }
}

function contentsOf(lines: SourceLines, from: number, to: number): string[] {
  const start = (line: number) => (line === 0 ? bodyStart(lines.text) : lines.start(line))
  return Array.from({ length: Math.max(to - from, 0) }, (_, offset) =>
    lines.text.slice(start(from + offset), lines.end(from + offset)),
  )
}

/** Returns the text with each range of lines replaced. Lines keep their breaks; new lines get the break used in the text. */
function spliced(lines: SourceLines, splices: readonly Splice[]): string {
  const { text } = lines
  const lineBreak = lines.lineBreak(0) || '\n'
  const ordered = [...splices].sort((left, right) => left.from - right.from || left.to - right.to)
  const kept: { content: string; lineBreak: string }[] = []
  let line = 0
  const keepUntil = (end: number): void => {
    for (; line < Math.min(end, lines.count); line++)
      kept.push({ content: contentsOf(lines, line, line + 1)[0] ?? '', lineBreak: lines.lineBreak(line) })
  }
  for (const { from, to, contents } of ordered) {
    keepUntil(from)
    kept.push(...contents.map((content) => ({ content, lineBreak })))
    line = Math.max(line, to)
  }
  keepUntil(lines.count)
  const last = kept.length - 1
  const endsOpen = lines.lineBreak(lines.count - 1) === ''
  const joined = kept.map((each, index) => {
    if (index === last) return endsOpen ? each.content : each.content + each.lineBreak
    return each.content + (each.lineBreak || lineBreak)
  })
  return text.slice(0, bodyStart(text)) + joined.join('')
}
