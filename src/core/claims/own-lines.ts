/** A line of this length is not said twice by chance. */
const MIN_TELLING_LENGTH = 40

/**
 * The lines of an output that are the agent's own: blank ones stand for those of its prompt that it (or its program, as `codex exec` does)
 * printed again, so that what the contract says is not taken for what the agent says. A short line is the prompt's only where a
 * neighbour is too, as the same neighbour stands in the prompt: "Done." may be anybody's. Linear in both; never throws.
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

/** Without the marks and spaces that a program sets before the lines that it prints again. */
function bare(line: string): string {
  return line.replace(/^(?:[\s>│|]|\d{1,5}[:│|→\t])+/, '').trim()
}
