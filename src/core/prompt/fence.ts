/**
 * Returns `text` as a fenced block that nothing in it can close: the fence is longer than any run of backticks inside. `info`
 * is the word after the opening fence.
 */
export function fenced(text: string, info: string): string {
  const runs = text.match(/`+/g) ?? []
  const longest = runs.reduce((length, run) => Math.max(length, run.length), 0)
  const fence = '`'.repeat(Math.max(3, longest + 1))
  return `${fence}${info}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}`
}
