export type PatchLineKind = 'added' | 'removed' | 'same' | 'place' | 'file' | 'note'

/** A line of a unified difference; `before` and `after` are its line numbers in the file, `null` outside of one. */
export interface PatchLine {
  readonly kind: PatchLineKind
  /** Without its sign if it is a line of a file. */
  readonly text: string
  readonly before: number | null
  readonly after: number | null
  /** For a section: its line in the current file. */
  readonly opens?: { readonly path: string; readonly line: number }
}

/** Before and after in one row; `head` spans both. */
export type PatchRow =
  | { readonly kind: 'head'; readonly line: PatchLine }
  | { readonly kind: 'pair'; readonly before: PatchLine | null; readonly after: PatchLine | null }

/** Returns the lines of unified differences, one below the other. Accepts any text: what is not a difference is a note. */
export function patchLines(patch: string): readonly PatchLine[] {
  const lines: PatchLine[] = []
  let place: { before: number; after: number } | null = null
  let path: string | null = null
  for (const line of patch.replace(/\n$/u, '').split('\n')) {
    const head = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line)
    const sign = line.charAt(0)
    // A line without a sign ends the section: it is the header of the next file.
    const isHead = place === null || !/^(?:[-+ \\]|$)/.test(line)
    if (head !== null) {
      place = { before: Number(head[1]), after: Number(head[2]) }
      // A deleted file cannot be opened.
      const opens = path === null || place.after === 0 ? {} : { opens: { path, line: place.after } }
      lines.push({ kind: 'place', text: line, before: null, after: null, ...opens })
    } else if (isHead || place === null) {
      if (place !== null) path = null
      place = null
      path = /^\+\+\+ b\/(.+)$/.exec(line)?.[1] ?? path
      const kind = /^(?:---|\+\+\+) /.test(line) ? 'file' : 'note'
      lines.push({ kind, text: line, before: null, after: null })
    } else if (sign === '+')
      lines.push({ kind: 'added', text: line.slice(1), before: null, after: place.after++ })
    else if (sign === '-')
      lines.push({ kind: 'removed', text: line.slice(1), before: place.before++, after: null })
    else if (sign === '\\') lines.push({ kind: 'note', text: line, before: null, after: null })
    else lines.push({ kind: 'same', text: line.slice(1), before: place.before++, after: place.after++ })
  }
  return lines
}

/** Returns the lines side by side: removed lines next to the lines that replaced them. */
export function patchRows(lines: readonly PatchLine[]): readonly PatchRow[] {
  const rows: PatchRow[] = []
  let removed: PatchLine[] = []
  let added: PatchLine[] = []
  const flush = (): void => {
    for (let at = 0; at < Math.max(removed.length, added.length); at++)
      rows.push({ kind: 'pair', before: removed[at] ?? null, after: added[at] ?? null })
    removed = []
    added = []
  }
  for (const line of lines) {
    if (line.kind === 'removed' && added.length === 0) removed.push(line)
    else if (line.kind === 'added') added.push(line)
    else {
      flush()
      if (line.kind === 'removed') removed.push(line)
      else if (line.kind === 'same') rows.push({ kind: 'pair', before: line, after: line })
      else rows.push({ kind: 'head', line })
    }
  }
  flush()
  return rows
}
