/**
 * The text between first-strong isolates where it has letters that run from right to left: in a line of plain text a name in Arabic turns
 * the figures beside it around. Any other text as it is.
 */
export function isolated(text: string): string {
  return /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u.test(text)
    ? `\u2068${text}\u2069`
    : text
}
