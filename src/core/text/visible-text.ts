/*
 * What an operator answers must be what the agent asked. Characters that show as nothing, or that turn the order of others
 * around, are written out: a command must not look like another one.
 */
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u3164\uffa0]|[\ufe00-\ufe0f]/gu

/** A text with every character that cannot be seen written as `\u{…}`; line breaks and tabs stay. */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
}

/**
 * The difference of a file as it is shown. What would run must not look like something else; in a contract such characters belong to
 * some languages. The ends of lines are no part of what is said.
 */
export function shownDifference(file: string, difference: string): string {
  return file === 'pulseward.toml' ? visibleText(difference.replaceAll('\r\n', '\n')) : difference
}
