/**
 * Wraps text that contains right-to-left letters in first-strong isolates: in plain text, an Arabic name would otherwise
 * reorder the numbers next to it. Adds a left-to-right mark before it, for menus and title bars that take a line's direction
 * from its first letter, isolated or not (GTK). Returns any other text unchanged.
 */
export function isolated(text: string): string {
  return /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u.test(text)
    ? `\u200e\u2068${text}\u2069`
    : text
}
