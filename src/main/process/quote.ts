/** Quotes a word so that the shell takes it literally. */
export function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
