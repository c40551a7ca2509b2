/* Tests in which only a function's name differs, because the task asks to rename it. */

import type { ChangedLines, Renamed } from './followed-renames.ts'

/** What a language has by itself is there without any work. */
const BUILT_IN =
  'abs|all|any|append|bool|bytes|cap|complex|copy|dict|drop|fetch|filter|float|hash|id|int|isNaN|isinstance|len|list|map|max|min|new|open|panic|parse(?:Float|Int)|pow|print|range|repr|reversed|round|set|sorted|str|string|sum|tuple|type|zip|Array|BigInt|Boolean|Date|Error|Map|Number|Object|Promise|Set|String|Symbol'
const FORBIDDEN = "(?<!\\b(?:not|[Nn]ever|[Ww]ithout|[Aa]void|[Dd]on't|cannot)\\b[^.;\\n]{0,99})"
/** Says that a function is meant, or has a form that only code has: other words may be about files or columns. */
const FUNCTION =
  '(?:the (?:(?:public|exported) )?)?(?:(?:function|method|helper) [`\'"]?|(?=`|\\w+\\(\\)|(?:\\w+ \\w+ )?\\w*(?:_|[a-z][A-Z]))`?)'
const NAME = '([A-Za-z_]\\w{1,60})(?:\\(\\))?'
const RENAMES = new RegExp(
  `${FORBIDDEN}\\b[Rr]ename ${FUNCTION}${NAME}[\`'"]? (?:to|into|as) [\`'"]?(?!(?:${BUILT_IN})\\b)${NAME}(?![\\w/-]|\\.\\w)`,
  'g',
)

/** Returns the functions that a task's text asks to rename. Pure; never throws. */
export function askedRenames(text: string): readonly Renamed[] {
  return [...text.matchAll(RENAMES)].map(([, from = '', to = '']) => ({ from, to }))
}

/** Languages in which a text that goes over several lines shows by its quotes. */
const LANGUAGES = /\.(?:[cm]?[jt]s|py|go|rs)$/
const IMPORTS =
  /^\s*(?:import\s*\{|from\s+[\w.]+\s+import\s|use\s+(?:\w+::)+|const\s*(?=\{[^}]*\}\s*=\s*(?:await\s+import|require)\b))/
const NAMES_TEST = /^\s*(?:(?:async )?(?:def|fn|func) \w+|(?:test|it|describe)\s*\((?:'[^'\\]*'|"[^"\\]*"))/
const MAX_LINE = 1000
const LITERAL = /("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`)/

/** Returns whether a test differs only in the renamed functions that it calls, imports and is named after. Pure; never throws. */
export function followsAsked(path: string, lines: ChangedLines, renames: readonly Renamed[]): boolean {
  // A call in a text that goes over several lines may be what is expected.
  const isOpen = (line: string): boolean =>
    line.endsWith('\\') || ['`', '"', '"""', "'''"].some((quote) => line.split(quote).length % 2 === 0)
  if (renames.length === 0 || !LANGUAGES.test(path) || lines.before.split(/\r?\n/).some(isOpen)) return false
  // If the test has the new name already, it means something else by it.
  if (renames.some(({ to }) => lines.before.includes(to))) return false
  const former = lines.after.split('\n').map((line) => renames.reduce(formerLine, line))
  return former.join('\n') === lines.before
}

function formerLine(line: string, rename: Renamed): string {
  if (line.length > MAX_LINE || line.split("'").length % 2 === 0) return line
  const importing = IMPORTS.exec(line)?.[0]
  const naming = NAMES_TEST.exec(line)?.[0] ?? ''
  const after = importing === undefined ? '(?=\\()' : '(?![\\w$]|::)'
  const word = new RegExp(`(?<![\\w$])${rename.to}${after}`, 'g')
  const parts = line.slice((importing ?? naming).length).split(LITERAL)
  const former = parts.map((part, at) => (at % 2 === 0 ? part.replace(word, rename.from) : part))
  return [importing ?? formerName(naming, rename), ...former].join('')
}

/** Returns a test's name as it was before the rename: `test_sum_of`, `TestSumOf` and "sumOf adds" are named after a function. */
export function formerName(name: string, { from, to }: Renamed): string {
  const upper = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)
  return name
    .replace(new RegExp(`(?<![A-Za-z0-9])${to}(?![A-Za-z0-9])`, 'g'), from)
    .replace(new RegExp(`(?<![A-Z])${upper(to)}(?![a-z0-9])`, 'g'), upper(from))
}
