/**
 * Capitalizes the text of a list item to begin a sentence. A name at the front (`tests.passed`, `report.md`, `email_count`) stays
 * unchanged.
 */
export function sentence(words: string): string {
  return /^\p{Ll}+(?=[\s,:;.]?(?:\s|$))/u.test(words) ? words.charAt(0).toUpperCase() + words.slice(1) : words
}
