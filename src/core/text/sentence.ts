/** Turns the words of a list item into a sentence; a name at the start stays as written. */
export function sentence(words: string): string {
  const isWord = /^\p{Ll}+(?=[\s,:;.]?(?:\s|$))/u.test(words)
  const text = isWord ? words.charAt(0).toUpperCase() + words.slice(1) : words
  return /[.!?…]$/.test(text) ? text : `${text}.`
}

/** Returns a title and its text as one line, without a colon after a title that is a sentence. */
export function titled(title: string, body: string): string {
  return /[.!?…]$/.test(title) ? `${title} ${body}` : `${title}: ${body}`
}
