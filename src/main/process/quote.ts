/** A word that the shell takes as it is. */
export function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
