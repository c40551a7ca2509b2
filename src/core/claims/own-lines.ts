/** A line this long is not repeated by accident. */
const MIN_TELLING_LENGTH = 40

/**
 * Returns the agent's own lines of an output. Blanks lines of its prompt that the agent (or its program, as `codex exec` does) printed
 * again, so that the contract's words are not taken for the agent's. A short line counts as the prompt's only if a neighboring line does
 * too and the two are neighbors in the prompt, because "Done." may come from either. Linear in both; never throws.
 */
export function ownLines(lines: readonly string[], prompt: string): readonly string[] {
  if (prompt.trim() === '') return lines
  const given = prompt
    .split('\n')
    .map(bare)
    .filter((line) => line !== '')
  const known = new Set(given)
  const pairs = new Set(given.slice(1).map((line, index) => `${given[index]}\n${line}`))
  const said = lines.map(bare)
  const isEcho = new Set<number>()
  let before = -1
  for (const [index, line] of said.entries()) {
    if (line === '') continue
    if (line.length >= MIN_TELLING_LENGTH && known.has(line)) isEcho.add(index)
    if (before >= 0 && pairs.has(`${said[before]}\n${line}`)) isEcho.add(before).add(index)
    before = index
  }
  return isEcho.size === 0 ? lines : lines.map((line, index) => (isEcho.has(index) ? '' : line))
}

/** Strips the marks and spaces that a program puts before repeated lines. */
function bare(line: string): string {
  return line.replace(/^(?:[\s>│|]|\d{1,5}[:│|→\t])+/, '').trim()
}
