import { diffArrays } from 'diff'

/** The result of merging two changes to one text. */
export type Merge =
  | { readonly clean: true; readonly text: string }
  /** Both changed the same or adjacent lines: only the user can tell which version is right. */
  | { readonly clean: false }

/** Lines `from` to `to` (exclusive) of the base that one side replaced with `lines`. */
interface Change {
  readonly from: number
  readonly to: number
  readonly lines: readonly string[]
}

/**
 * Merges both sides' changes to `base`, line by line, including line breaks. A change made by both counts once; overlapping changes are not
 * a clean merge.
 */
export function mergeTexts(base: string, mine: string, theirs: string): Merge {
  const lines = linesOf(base)
  const all = [...changesOf(lines, linesOf(mine)), ...changesOf(lines, linesOf(theirs))]
  const changes = withoutDoubles(all.toSorted((one, other) => one.from - other.from || one.to - other.to))
  const merged: string[] = []
  let at = 0
  let previous: Change | null = null
  for (const change of changes) {
    if (previous !== null && change.from <= previous.to) return { clean: false }
    merged.push(...lines.slice(at, change.from), ...change.lines)
    at = change.to
    previous = change
  }
  return { clean: true, text: [...merged, ...lines.slice(at)].join('') }
}

function linesOf(text: string): readonly string[] {
  return text.split(/(?<=\n)|(?<=\r)(?!\n)/)
}

function changesOf(base: readonly string[], side: readonly string[]): readonly Change[] {
  const changes: Change[] = []
  let at = 0
  for (const { value, count, added, removed } of diffArrays([...base], [...side])) {
    const previous = changes.at(-1)
    if (!added && !removed) at += count
    else if (removed) {
      changes.push({ from: at, to: at + count, lines: [] })
      at += count
    } else if (previous !== undefined && previous.to === at && previous.lines.length === 0)
      changes.splice(-1, 1, { ...previous, lines: value })
    else changes.push({ from: at, to: at, lines: value })
  }
  return changes
}

function withoutDoubles(changes: readonly Change[]): readonly Change[] {
  return changes.filter((change, index) => {
    const before = changes[index - 1]
    return before === undefined || JSON.stringify(before) !== JSON.stringify(change)
  })
}
