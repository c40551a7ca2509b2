/** The words of a command line given as one text: taken apart at its blanks, quotes kept together; no shell reads it. */
export function commandWords(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  )
}
