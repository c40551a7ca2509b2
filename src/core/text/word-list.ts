/** Returns the words of `text`, in order; white space separates them. For long lists of names and globs, none of which contains any. */
export function wordList(text: string): readonly string[] {
  return text.trim().split(/\s+/)
}
