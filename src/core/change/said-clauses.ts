/** Words by which a sentence refers to the change itself. */
export const THIS_SUBJECT =
  '(?:(?:(?:this|the|my|our)\\s+)?(?:pr|pull request|mr|merge request|changes?|changeset|commit|patch|branch|diff|i|we|it|this))'

const END = /[.;!?](?:\s|$)|,\s|[:()]|\s[–—-]\s/

/** Splits a text into parts with one statement each, so that a statement about the change stands alone. */
export function clausesOf(text: string): readonly string[] {
  return text
    .replace(/[*_`]/g, '')
    .split(END)
    .map((clause) => clause.replace(/\s+/g, ' ').trim())
    .filter((clause) => clause !== '')
}

/** Returns the sentence at a position in a text. */
export function sentenceAround(text: string, at: number): string {
  const start = Math.max(...['. ', '; ', ', but '].map((end) => text.lastIndexOf(end, at)), 0)
  const rest = text.slice(at)
  const end = rest.search(/[.;](?:\s|$)/)
  return text.slice(start, end < 0 ? text.length : at + end)
}
