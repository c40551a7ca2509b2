const PLAIN_WORD = /^[\w./:@%+=,-]+$/

/**
 * Returns a command line of these words for pasting into a shell. Quotes each word that a shell would not read as a single
 * word.
 */
export function shellCommand(words: readonly string[]): string {
  return words.map((word) => (PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ')
}

/** Splits a command line into words at its spaces, keeping quotes together. No shell reads it. */
export function commandWords(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  )
}
