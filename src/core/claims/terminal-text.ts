/*
 * Terminal control sequences: CSI (`ESC [ … letter`: colors, cursor), OSC (`ESC ] … BEL`: titles, links), and two-character
 * ones. Each part's character classes are disjoint, so matching is linear. This is a string because linters reject control
 * characters in a regular expression literal.
 */
const CONTROL_SEQUENCES = new RegExp(
  [
    '\\u001b\\[[0-?]*[ -/]*[@-~]',
    '\\u001b\\][^\\u0007\\u001b\\n]*(?:\\u0007|\\u001b\\\\)?',
    '\\u001b[@-Z\\\\^_]',
    '\\u009b[0-?]*[ -/]*[@-~]',
  ].join('|'),
  'g',
)

/** Returns the lines of a program's output as a person would read them, without colors, other control sequences and a byte order mark. */
export function readableLines(output: string): readonly string[] {
  return output
    .replace(/^\uFEFF/, '')
    .replace(CONTROL_SEQUENCES, '')
    .split(/\r\n|\n|\r/)
}
