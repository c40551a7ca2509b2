/*
 * Terminal control sequences: CSI (`ESC [ … letter`: colours, cursor), OSC (`ESC ] … BEL`: titles, links), and the two-character
 * ones. Each part's character classes are disjoint, so matching takes linear time. Written as a string because
 * control characters in a regular expression literal are taken for a mistake.
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

/** The lines of a program's output as a person would read them: without colours and other control sequences. */
export function readableLines(output: string): readonly string[] {
  return output.replace(CONTROL_SEQUENCES, '').split(/\r\n|\n|\r/)
}
