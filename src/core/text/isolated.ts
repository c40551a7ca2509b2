/**
 * The text between first-strong isolates where it has letters that run from right to left: in a line of plain text a name in Arabic turns
 * the figures beside it around. Before it a left-to-right mark, for menus and title bars that take a line's direction from its first letter,
 * isolated or not (GTK). Any other text as it is.
 */
export function isolated(text: string): string {
  return /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u.test(text)
    ? `\u200e\u2068${text}\u2069`
    : text
}
