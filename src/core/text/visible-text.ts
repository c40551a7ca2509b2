/*
 * What an operator answers must be what the agent asked. Characters that show as nothing, or that turn the order of others
 * around, are written out: a command must not look like another one.
 */
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u3164\uffa0]|[\ufe00-\ufe0f]/gu

/** A text with every character that cannot be seen written as `\u{…}`; line breaks and tabs stay. */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
}
