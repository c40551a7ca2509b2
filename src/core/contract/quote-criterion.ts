const MAX_LENGTH = 80

/** A criterion's text as it is named in a sentence: on one line, in quotation marks, at most 80 characters. */
export function quoteCriterion(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return JSON.stringify(line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH - 1)}…` : line)
}
