/** Turns the words of a list item into a sentence; a name at the start stays as written. */
export function sentence(words: string): string {
  const isWord = /^\p{Ll}+(?=[\s,:;.]?(?:\s|$))/u.test(words)
  const text = isWord ? words.charAt(0).toUpperCase() + words.slice(1) : words
  return /[.!?…]$/.test(text) ? text : `${text}.`
}
