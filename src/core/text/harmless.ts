/*
 * Text from agents, files, runners and web pages, as it may be shown. Characters that show as nothing, or that steer what shows them, are
 * taken out: control characters (C0 and C1, with which escape sequences begin), marks that turn the direction of text around,
 * invisible spaces and tags, lone surrogates, ends of lines other than `\n`. What joins letters and emoji (U+200C, U+200D) stays.
 */
const STEERING =
  '\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}\\u00ad\\u061c\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}'
const IN_LINE = new RegExp(`[${STEERING}]`, 'gu')
const IN_LINES = new RegExp(`(?![\\n\\t])[${STEERING}]`, 'gu')
const CONTROL = /\p{Cc}|\p{Zl}|\p{Zp}/u

/** Longer than any line that a person reads. */
const MAX_LINE = 4000
const MAX_TEXT = 64 * 1024

/** The text on one line of at most `maxLength` characters, with nothing in it that steers a terminal, page or reader. */
export function harmlessLine(text: string, maxLength = MAX_LINE): string {
  return bounded(text, maxLength).replace(IN_LINE, substitute)
}

/** The same with its line breaks and tabs, of at most `maxLength` characters in all. */
export function harmlessText(text: string, maxLength = MAX_TEXT): string {
  return bounded(text.replace(/\r\n?/g, '\n'), maxLength).replace(IN_LINES, substitute)
}

/** JSON as it may be printed and logged: the same document, with such characters written as `\u…`. */
export function harmlessJson(json: string): string {
  return json.replace(IN_LINES, (character) =>
    // One outside of the basic plane is two units, each written by itself.
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  )
}

/** A control stands where a word may end; the others leave a trace, so that two texts that look alike are not alike. */
function substitute(character: string): string {
  return CONTROL.test(character) ? ' ' : '\ufffd'
}

function bounded(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  // A surrogate pair that is cut in two is replaced with the rest.
  return `${text.slice(0, Math.max(0, maxLength - 1))}…`
}
