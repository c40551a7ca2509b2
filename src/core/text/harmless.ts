/*
 * Makes text from agents, files, runners and web pages safe to show. Removes characters that are invisible or affect the
 * display: control characters (C0 and C1, which begin escape sequences), marks that change the text direction, invisible spaces
 * and tags, lone surrogates, line ends other than `\n`. Characters that join letters and emoji (U+200C, U+200D) stay.
 */
const STEERING =
  '\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}\\u00ad\\u061c\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}'
const IN_LINE = new RegExp(`[${STEERING}]`, 'gu')
const IN_LINES = new RegExp(`(?![\\n\\t])[${STEERING}]`, 'gu')
const CONTROL = /\p{Cc}|\p{Zl}|\p{Zp}/u

/** Longer than any line that a person reads. */
const MAX_LINE = 4000
const MAX_TEXT = 64 * 1024

/**
 * Returns the text on one line of at most `maxLength` characters, without anything that controls a terminal, page or screen
 * reader.
 */
export function harmlessLine(text: string, maxLength = MAX_LINE): string {
  return bounded(text, maxLength).replace(IN_LINE, substitute)
}

/** Returns the same with line breaks and tabs, at most `maxLength` characters in all. */
export function harmlessText(text: string, maxLength = MAX_TEXT): string {
  return bounded(text.replace(/\r\n?/g, '\n'), maxLength).replace(IN_LINES, substitute)
}

/** Returns JSON that is safe to print and log: the same document, with such characters written as `\u…`. */
export function harmlessJson(json: string): string {
  return json.replace(IN_LINES, (character) =>
    // A character outside the basic plane is two units, each escaped separately.
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  )
}

/**
 * Returns the lines as a workflow's runner prints them, with nothing in them carried out as a command: GitHub's looks for `::NAME` where a
 * line begins, white
 * space aside, and for `##[NAME]` anywhere.
 */
export function withoutCommands(lines: string): string {
  return lines.replace(/^([^\S\n]*):(?=:)/gm, '$1: ').replaceAll('##[', '## [')
}

/**
 * A control character becomes a space, because a word may end there. Others leave a visible mark, so that two different texts
 * don't look alike.
 */
function substitute(character: string): string {
  return CONTROL.test(character) ? ' ' : '\ufffd'
}

function bounded(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  // A surrogate pair that would be cut in two is removed with the rest.
  return `${text.slice(0, Math.max(0, maxLength - 1))}…`
}
