import { diffLines } from 'diff'

export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed' | 'gap'
  readonly text: string
}

/** How many lines of context are kept around a change. */
const CONTEXT = 3

/** Returns what changed from `before` to `after`, line by line; long unchanged stretches become one `gap` that says how long it is. */
export function lineDiff(before: string, after: string): DiffLine[] {
  const lines = diffLines(before, after).flatMap(({ value, added, removed }) => {
    const kind = added ? 'added' : removed ? 'removed' : 'same'
    return linesOf(value).map((text): DiffLine => ({ kind, text }))
  })
  return withGaps(lines)
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/u)
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

function withGaps(lines: readonly DiffLine[]): DiffLine[] {
  const near = new Set<number>()
  lines.forEach((line, index) => {
    if (line.kind === 'same') return
    for (let at = index - CONTEXT; at <= index + CONTEXT; at++) near.add(at)
  })
  const shown: DiffLine[] = []
  let left = 0
  lines.forEach((line, index) => {
    if (!near.has(index)) left++
    if (left > 0 && (near.has(index) || index === lines.length - 1)) {
      shown.push({ kind: 'gap', text: left === 1 ? '1 line unchanged' : `${left} lines unchanged` })
      left = 0
    }
    if (near.has(index)) shown.push(line)
  })
  return shown
}
