/** Kinds of files in which the white space at the start of a line has a meaning. */
const INDENTED =
  /\.(?:pyi?|ya?ml|coffee|haml|slim|pug|jade|sass|styl|nim|fsx?|hs|elm|rst|md|mdx|mk|txt|tsv|csv|snap)$|(?:^|\/)(?:GNU)?[Mm]akefile$/

/**
 * Returns whether two texts of a file differ only in white space that has no meaning: line ends, blank lines, white space at the end of a
 * line and, in languages without meaningful indentation, the amount of any other. Linear; never throws.
 */
export function isBlankEdit(path: string, before: string, after: string): boolean {
  return meaningOf(path, before) === meaningOf(path, after)
}

function meaningOf(path: string, text: string): string {
  const isIndented = INDENTED.test(path)
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => (isIndented ? line.trimEnd() : line.trim().replace(/\s+/g, ' ')))
    .filter((line) => line !== '')
    .join('\n')
}

/** Words by which a task asks for white space to be changed. */
const ASKS_FOR_FORM =
  /\b(?:re)?format (?:the|all|our|this|these|every|it|them|src|code|sources?|files?)\b|\breformat|\bformatt(?:ing|er)\b|\b(?:prettier|biome|gofmt|rustfmt|clang-format|autopep8|black|ruff|eslint|lint\w*)\b|\bindent|\bwhite ?-?space|\bspac(?:es?|ing)\b|\b(?:blank|empty) lines?\b|\bnew ?lines?\b|\btrailing\b|\bline[ -]?end(?:s|ings?)?\b|\b(?:crlf|lf|eol)\b|\btabs? (?:to|into|with|instead)\b|\bcode style\b/i

/** Returns whether a task's words or checks ask for white space to be changed, so that such an edit is its work. */
export function asksForForm(text: string): boolean {
  return ASKS_FOR_FORM.test(text)
}
