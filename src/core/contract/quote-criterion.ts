const MAX_LENGTH = 80

/** Returns a criterion's text for use in a sentence: on one line, in quotation marks, at most 80 characters. */
export function quoteCriterion(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return JSON.stringify(line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH - 1)}…` : line)
}
