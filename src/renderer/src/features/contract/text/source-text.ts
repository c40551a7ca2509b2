/** The kinds of line break, one character each, so that a string can list those of a text: `n` "\n", `w` "\r\n", `r` "\r". */
const BREAKS: Readonly<Record<string, string>> = { n: '\n', w: '\r\n', r: '\r' }
const KINDS: Readonly<Record<string, string>> = { '\n': 'n', '\r\n': 'w', '\r': 'r' }

/** What an editor that knows only "\n" would lose: a text's byte order mark and the kind of each line break. */
export interface LineEndings {
  readonly bom: boolean
  /** One character per line break, in order. */
  readonly breaks: string
}

/** A text as an editor has it, and its endings. Together they give the text, byte for byte. */
export interface SplitText {
  /** With "\n" only, and without a byte order mark. */
  readonly text: string
  readonly endings: LineEndings
}

/** Splits a text; `joinText` joins it again. */
export function splitText(source: string): SplitText {
  const bom = source.startsWith('\uFEFF')
  const body = bom ? source.slice(1) : source
  let breaks = ''
  const text = body.replace(/\r\n?|\n/g, (each) => {
    breaks += KINDS[each] ?? 'n'
    return '\n'
  })
  return { text, endings: { bom, breaks } }
}

/**
 * Returns the original text, or what an editor has made of it since. A break without a kind is "\n"; a "\n" that would merge with a "\r"
 * right before it, on an emptied line, becomes "\r" too, so that the text keeps its lines.
 */
export function joinText({ text, endings }: SplitText): string {
  const mark = endings.bom ? '\uFEFF' : ''
  if (!/[wr]/.test(endings.breaks)) return mark + text
  let index = 0
  let before = ''
  return (
    mark +
    text.replace(/\n/g, (_, offset: number) => {
      const kind = BREAKS[endings.breaks[index++] ?? 'n'] ?? '\n'
      const runsTogether = before === '\r' && kind === '\n' && text[offset - 1] === '\n'
      before = runsTogether ? '\r' : kind
      return before
    })
  )
}

/**
 * Returns the breaks after replacing `removed` of them, starting at `from`, with `inserted` new ones. Existing ones keep their kind, in
 * order; additional ones take their neighbor's kind, which is the one the user's file uses.
 */
export function replaceBreaks(breaks: string, from: number, removed: number, inserted: number): string {
  const kept = breaks.slice(from, from + Math.min(removed, inserted))
  const neighbour = breaks[from + removed - 1] ?? breaks[from] ?? breaks[from - 1] ?? breaks[0] ?? 'n'
  const fresh = neighbour.repeat(Math.max(0, inserted - removed))
  return breaks.slice(0, from) + kept + fresh + breaks.slice(from + removed)
}
