/**
 * Turns the words of a list item into the beginning of a sentence. A name at the front (`tests.passed`, `report.md`,
 * `email_count`) stays as it is written.
 */
export function sentence(words: string): string {
  return /^\p{Ll}+(?=[\s,:;.]?(?:\s|$))/u.test(words) ? words.charAt(0).toUpperCase() + words.slice(1) : words
}
