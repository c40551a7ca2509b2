/*
 * The operator must see exactly what the agent requests. Characters that are invisible or reorder others are escaped, so that a command
 * can't look like a different one.
 */
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u3164\uffa0]|[\ufe00-\ufe0f]/gu

/** Returns a text with every invisible character written as `\u{…}`; line breaks and tabs stay. */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
}

/**
 * Returns the diff of a file for display. In a configuration, what would run must not look like something else; in a contract,
 * some languages use such characters. Line ends are ignored.
 */
export function shownDifference(file: string, difference: string): string {
  return file === 'pulseward.toml' ? visibleText(difference.replaceAll('\r\n', '\n')) : difference
}
