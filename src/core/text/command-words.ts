const PLAIN_WORD = /^[\w./:@%+=,-]+$/

/** Returns these words as a command line for pasting into a shell. Quotes each word that a shell would not read as a single word. */
export function shellCommand(words: readonly string[]): string {
  return words.map((word) => (PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ')
}

/** Splits a command line into words at its spaces, keeping quoted parts together, for running it without a shell. */
export function commandWords(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  )
}
