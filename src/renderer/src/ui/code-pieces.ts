/** A piece of a line of code; `null` for ordinary text. */
export interface CodePiece {
  readonly text: string
  readonly kind: 'comment' | 'text' | 'number' | 'word' | null
}

/* Comments, quoted strings, numbers and words, in this order, as most languages write them. */
const PIECES =
  /(?<comment>\/\/.*|(?<=^|\s)#.*|\/\*.*?(?:\*\/|$)|<!--.*?(?:-->|$))|(?<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)|(?<number>\b\d[\w.]*\b)|(?<word>\b[A-Za-z_]+\b)/g

const KEYWORDS: ReadonlySet<string> = new Set(
  (
    'abstract and as assert async await bool boolean break case catch char class const continue def default del delete do double ' +
    'elif else end enum except export extends extern false final finally float fn for from func function go if impl implements ' +
    'import in include instanceof int interface is lambda let long match mod module mut new nil none None not null object of or ' +
    'package pass private protected pub public raise readonly ref return self Self static string struct super switch template ' +
    'then this throw throws trait true True False try type typeof undefined union unsafe use using val var void while with yield'
  ).split(' '),
)

/** Longer lines are generated. */
const MAX_LENGTH = 1000

/** Splits a line of code into pieces for coloring, using what most languages have in common. The pieces joined are the line. */
export function codePieces(line: string): readonly CodePiece[] {
  if (line.length > MAX_LENGTH) return [{ text: line, kind: null }]
  const pieces: CodePiece[] = []
  let at = 0
  for (const match of line.matchAll(PIECES)) {
    const { comment, text, number, word } = match.groups ?? {}
    const kind =
      comment !== undefined
        ? 'comment'
        : text !== undefined
          ? 'text'
          : number !== undefined
            ? 'number'
            : 'word'
    if (kind === 'word' && !KEYWORDS.has(word ?? '')) continue
    if (match.index > at) pieces.push({ text: line.slice(at, match.index), kind: null })
    pieces.push({ text: match[0], kind })
    at = match.index + match[0].length
  }
  if (at < line.length) pieces.push({ text: line.slice(at), kind: null })
  return pieces
}
