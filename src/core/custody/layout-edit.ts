/*
 * Tests that were only formatted: each line has the same tokens as before, so it tests the same.
 */

/** Languages in which white space between tokens has no meaning within a line; in `INDENTED`, indentation does. */
const FREE = /\.(?:[cm]?[jt]s|go|java|c|h|cc|cpp|hpp|kt)$/
const INDENTED = /\.py$/
/** Text over several lines, in which white space counts, or a line that continues on the next. */
const LONG_TEXT = /"""|'''|R"|\/\*|\\\r?$/m
/** A literal, a run of word characters, a run of operators, white space, or any other character. */
const TOKEN =
  /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|[\p{L}\p{M}\p{N}_$]+|[^\S\n]+|[-+*/<>=&|!?:.%^~@#\\]+|./gsu

/** Returns whether a file is in a language whose layout is known. */
export function mayHaveLayout(path: string): boolean {
  return FREE.test(path) || INDENTED.test(path)
}

/**
 * Returns whether two versions of a source differ only in indentation, blank lines, and white space that isn't needed to keep
 * two tokens apart. Lines stay lines, because the end of a line may end a statement. False if the language isn't known, or if
 * a line that differs may hold text, a regular expression or a directive. Linear; never throws.
 */
export function isLayoutEdit(path: string, before: string, after: string): boolean {
  const isIndented = INDENTED.test(path)
  if (!mayHaveLayout(path)) return false
  const [was, is] = [linesOf(before), linesOf(after)]
  if (was.length !== is.length || LONG_TEXT.test(before) || hasOpenTemplate(before)) return false
  return was.every((line, at) => {
    const now = is[at] ?? ''
    if (line === now) return true
    // A quote after a backslash may or may not end the text.
    if (line.includes('\\')) return false
    if (isIndented && indentOf(line) !== indentOf(now)) return false
    const text = tokensOf(line)
    return text !== null && text === tokensOf(now)
  })
}

function linesOf(text: string): readonly string[] {
  return text.split(/\r\n|\n/).filter((line) => line.trim() !== '')
}

function indentOf(line: string): string {
  return line.slice(0, line.search(/\S/))
}

/** Whether a template literal goes over several lines. */
function hasOpenTemplate(text: string): boolean {
  return text.split('\n').some((line) => (line.match(/`/g)?.length ?? 0) % 2 === 1)
}

/** Returns a line's tokens with a space between two that would be another token without it; `null` if it can't be told. */
function tokensOf(line: string): string | null {
  const tokens = line.trim().match(TOKEN) ?? []
  let text = ''
  let isApart = false
  for (const token of tokens) {
    // A slash may begin a regular expression or a comment, and a hash a directive; a lone quote leaves text open.
    if (/^["'`]$|^[^"'`]*[/#\\]/.test(token)) return null
    if (/^\s/.test(token)) isApart = true
    else {
      const joins = /[\p{L}\p{M}\p{N}_$"'`]$/u.test(text)
        ? /^[\p{L}\p{M}\p{N}_$"'`]/u.test(token)
        : isOperator(text.slice(-1)) && isOperator(token.slice(0, 1))
      if (isApart && joins) text += ' '
      text += token
      isApart = false
    }
  }
  return text
}

function isOperator(character: string): boolean {
  return /^[-+*<>=&|!?:.%^~@]$/.test(character)
}
