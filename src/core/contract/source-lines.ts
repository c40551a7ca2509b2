import type { SourcePosition, SourceRange } from './types.ts'

/** Where the lines of a text begin and end. A line ends at "\n", "\r\n" or a lone "\r", as in editors. */
export class SourceLines {
  readonly text: string
  readonly #starts: number[]

  constructor(text: string) {
    this.text = text
    // A byte order mark is not a column of the first line.
    this.#starts = [bodyStart(text)]
    for (const lineBreak of text.matchAll(/\r\n?|\n/g))
      this.#starts.push(lineBreak.index + lineBreak[0].length)
  }

  get count(): number {
    return this.#starts.length
  }

  /** Returns the index (from 0) of the line that contains `offset`. */
  lineAt(offset: number): number {
    let low = 0
    let high = this.#starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (this.start(middle) <= offset) low = middle
      else high = middle - 1
    }
    return low
  }

  /** Returns the offset at which a line begins; the end of the text for a line past the last one. */
  start(line: number): number {
    return this.#starts[line] ?? this.text.length
  }

  /** Returns the offset at which a line ends, without its line break. */
  end(line: number): number {
    if (line + 1 >= this.#starts.length) return this.text.length
    const next = this.start(line + 1)
    return this.text[next - 1] === '\n' && this.text[next - 2] === '\r' ? next - 2 : next - 1
  }

  /** Returns the line's line break; empty for a last line without one. */
  lineBreak(line: number): string {
    return this.text.slice(this.end(line), this.start(line + 1))
  }

  positionAt(offset: number): SourcePosition {
    const line = this.lineAt(offset)
    return { line: line + 1, column: Math.max(1, offset - this.start(line) + 1), offset }
  }

  range(from: number, to: number): SourceRange {
    return { start: this.positionAt(from), end: this.positionAt(to) }
  }
}

/** Returns where a text begins after its byte order mark, if it has one. */
export function bodyStart(text: string): number {
  return text.startsWith('\uFEFF') ? 1 : 0
}
