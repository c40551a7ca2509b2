const PLAIN_WORD = /^[\w./:@%+=,-]+$/

/** A command line of these words, to be pasted into a shell: a word that it would read as more than a word is quoted. */
export function shellCommand(words: readonly string[]): string {
  return words.map((word) => (PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ')
}

/** The words of a command line given as one text: taken apart at its blanks, quotes kept together; no shell reads it. */
export function commandWords(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  )
}
