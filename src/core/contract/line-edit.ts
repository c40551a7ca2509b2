import type { SourceLines } from './source-lines.ts'

/**
 * Returns the text with lines inserted after line `index` (from 0). If the last line has no line break, the new last line has
 * none either.
 */
export function insertLines(lines: SourceLines, index: number, contents: readonly string[]): string {
  const { text } = lines
  const lineBreak = neighbouringBreak(lines, index)
  if (lines.lineBreak(index) === '') return [text, ...contents].join(lineBreak)
  const at = lines.start(index + 1)
  return text.slice(0, at) + contents.map((content) => content + lineBreak).join('') + text.slice(at)
}

/** Returns the text without lines `first` to `last`. If the text had no final line break, the result has none. */
export function removeLines(lines: SourceLines, first: number, last: number): string {
  const { text } = lines
  if (lines.lineBreak(last) !== '')
    return text.slice(0, lines.start(first)) + text.slice(lines.start(last + 1))
  return text.slice(0, first === 0 ? lines.start(0) : lines.end(first - 1))
}

/**
 * Returns the text with lines `first` to `last` moved before line `target`, each rewritten by `rewrite`. Lines keep their line
 * breaks; if the text's last line has none, the new last line has none either.
 */
export function moveLines(
  lines: SourceLines,
  { first, last, target }: { readonly first: number; readonly last: number; readonly target: number },
  rewrite: (content: string) => string,
): string {
  const { text } = lines
  const pick = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, offset) => ({
      content: text.slice(lines.start(from + offset), lines.end(from + offset)),
      lineBreak: lines.lineBreak(from + offset),
    }))
  const moved = pick(first, last + 1).map((line) => ({ ...line, content: rewrite(line.content) }))
  const others = target <= first ? pick(target, first) : pick(last + 1, target)
  const region = target <= first ? [...moved, ...others] : [...others, ...moved]
  const unbroken = region.find((line) => line.lineBreak === '')
  const end = region.at(-1)
  if (unbroken !== undefined && end !== undefined) {
    unbroken.lineBreak = end.lineBreak
    end.lineBreak = ''
  }
  const rewritten = region.map((line) => line.content + line.lineBreak).join('')
  return (
    text.slice(0, lines.start(Math.min(first, target))) +
    rewritten +
    text.slice(lines.start(Math.max(last + 1, target)))
  )
}

/** Returns the line break to write next to a line: its own, that of the line before, or the first one of the text. */
export function neighbouringBreak(lines: SourceLines, index: number): string {
  return lines.lineBreak(index) || (index > 0 && lines.lineBreak(index - 1)) || lines.lineBreak(0) || '\n'
}
