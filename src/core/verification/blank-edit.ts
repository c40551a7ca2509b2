import { namesFile } from '../text/names-path.ts'

/** File types in which the white space at the start of a line has a meaning. */
const INDENTED =
  /\.(?:pyi?|ya?ml|coffee|haml|slim|pug|jade|sass|styl|nim|fsx?|hs|elm|rst|md|mdx|mk)$|(?:^|\/)(?:GNU)?[Mm]akefile$/
/** File types in which all white space within a line has a meaning: columns, and text that is printed literally. */
const VERBATIM = /\.(?:txt|tsv|csv|snap)$/

/**
 * Returns whether two versions of a file differ only in meaningless white space: line ends, blank lines, white space at the end of a line,
 * a byte order mark, the amount of white space between words and, in languages without meaningful indentation, before them. Linear; never
 * throws.
 */
export function isBlankEdit(path: string, before: string, after: string): boolean {
  return meaningOf(path, before) === meaningOf(path, after)
}

function meaningOf(path: string, text: string): string {
  const meaningOfLine = VERBATIM.test(path) ? trimmedEnd : INDENTED.test(path) ? afterIndentation : words
  return text
    .replace(/[\ufeff\u200b\u2060]/g, '')
    .split(/\r\n|\r|\n/)
    .map(meaningOfLine)
    .filter((line) => line !== '')
    .join('\n')
}

function trimmedEnd(line: string): string {
  return line.trimEnd()
}

function words(line: string): string {
  return line.trim().replace(/\s+/g, ' ')
}

function afterIndentation(line: string): string {
  const text = words(line)
  return text === '' ? '' : line.slice(0, line.search(/\S/)) + text
}

/** Files that only need to exist. */
const MARKERS = /(?:^|\/)(?:__init__\.py|py\.typed|\.\w*keep|\.nojekyll)$/

/** Returns whether a task's text and checks ask for a new file that may be empty. */
export function asksForEmpty(text: string, path: string): boolean {
  const isMeant = MARKERS.test(path) || /\bempty\b|\bplaceholder\b|\bmarker\b|\btouch\b/i.test(text)
  return isMeant && namesFile(text.toLowerCase(), path.toLowerCase())
}

const CHANGES =
  'fix|correct|clean|remove|strip|trim|delete|drop|add|insert|end|normali[sz]e|convert|change|replace|use|set|adjust|unify|collapse|align|reduce|increase|make|switch'
const WHITE_SPACE =
  'indents?|indentation|white ?-?spaces?|spaces|spacing|(?:blank|empty) lines?|new ?lines?|trailing|line[ -]?end(?:s|ings?)|crlf|lf|eol|code style'
const TOOLS =
  'prettier|biome|ruff|eslint|stylelint|gofmt|rustfmt|clang-format|autopep8|yapf|shfmt|dprint|lint\\w*|(?:code |source )?formatter'

/** Phrases that ask for white space to be changed: a verb with the white space, or with the tool that changes it. */
const ASKS_FOR_FORM = [
  `\\b(?:${CHANGES})\\b[^.;\\n]{0,40}?\\b(?:${WHITE_SPACE})\\b`,
  `\\b(?:run|apply|use|npx|with|satisfy|pass|resolve|fix|make)\\b[^.;\\n]{0,20}?\\b(?:${TOOLS})\\b`,
  '\\b(?:run|apply|formatt?(?:ed)? with) black\\b',
  '\\b(?:cargo|go|mix|terraform|zig|deno|dart|dotnet) (?:fmt|format)\\b',
  '(?:^|\\b(?:and|then|to|please) |[.,;:] )(?:(?:re-?|de-?|un)?indent|dedent|lint) \\S',
  '\\bformat (?:(?!dates?\\b)\\w+ ){0,2}(?:it|them|everything|code|sources?|src|files?|[\\w.-]*\\/[\\w./-]*|[\\w-]+\\.[a-z]\\w{0,4})\\b',
  '\\breformat\\b|\\b(?:prettify|beautify)\\b',
  '\\b(?:fix|correct|clean up|apply|unify) (?:the |all )?(?:code |source |file )?formatting\\b',
].map((phrase) => new RegExp(phrase, 'im'))

/** Git LFS stores another form of the same file in the repository. */
const ASKS_FOR_LFS = /\b(?:git[ -])?lfs\b/i

/** Returns whether a task's text asks to change white space or the stored form, so that such an edit is its work. */
export function asksForForm(text: string): boolean {
  return ASKS_FOR_LFS.test(text) || ASKS_FOR_FORM.some((phrase) => phrase.test(text))
}

/** Names of programs that check formatting. */
const CHECKS_FORM = new RegExp(`\\b(?:${TOOLS}|black|fmt|format\\w*|style|white-?space)\\b`, 'i')

/** Returns whether a check may look at white space. */
export function mayCheckForm(check: string): boolean {
  return CHECKS_FORM.test(check)
}
