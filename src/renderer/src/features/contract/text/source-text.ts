/** The kinds of line break, one character each, so that those of a text are a string: `n` "\n", `w` "\r\n", `r` "\r". */
const BREAKS: Readonly<Record<string, string>> = { n: '\n', w: '\r\n', r: '\r' }
const KINDS: Readonly<Record<string, string>> = { '\n': 'n', '\r\n': 'w', '\r': 'r' }

/** What an editor that knows only "\n" would lose of a text: its byte order mark and the kind of each line break. */
export interface LineEndings {
  readonly bom: boolean
  /** One character a line break, in their order. */
  readonly breaks: string
}

/** A text as an editor has it, beside its endings. Together they are the text, byte for byte. */
export interface SplitText {
  /** With "\n" alone, and without a byte order mark. */
  readonly text: string
  readonly endings: LineEndings
}

/** Takes a text apart; `joinText` puts it together again. */
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
 * The text that was taken apart, or what an editor has made of it since. A break without a kind is "\n"; one that would run
 * together with a "\r" right before it, on an emptied line, is "\r" as well, so that the text keeps its lines.
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
 * The breaks after `removed` of them from `from` on were replaced by `inserted` new ones. Those that were there keep their
 * kind, in their order; further ones take the kind of their neighbour, which is what the person's file is written in.
 */
export function replaceBreaks(breaks: string, from: number, removed: number, inserted: number): string {
  const kept = breaks.slice(from, from + Math.min(removed, inserted))
  const neighbour = breaks[from + removed - 1] ?? breaks[from] ?? breaks[from - 1] ?? breaks[0] ?? 'n'
  const fresh = neighbour.repeat(Math.max(0, inserted - removed))
  return breaks.slice(0, from) + kept + fresh + breaks.slice(from + removed)
}
