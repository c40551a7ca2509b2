import { TEST_SYNTAXES, type TestSyntax } from './test-syntaxes.ts'

/** A test as declared in a source file. */
export interface TestCaseSource {
  readonly name: string
  /** From 1. */
  readonly line: number
  /** Its code without its name, with white space collapsed: equal for a test that was only renamed or moved. */
  readonly body: string
  /** Its attributes and modifiers, with white space collapsed: `#[should_panic]`, the values of its parameters. */
  readonly marks: string
  /** The lines from its attributes to its end, from 1. */
  readonly lines: Lines
  readonly isSkipped: boolean
  /** Whether its runner wouldn't collect a test there without extra configuration. */
  readonly isUncollected: boolean
}

/** The first and last line, from 1. */
export interface Lines {
  readonly first: number
  readonly last: number
}

/** A file with more tests than this was generated. */
const MAX_CASES = 5_000
const MAX_TEXT = 1024 * 1024
/** Attributes of a test are looked for at most this many lines above it. */
const LINES_ABOVE = 40

/** Returns whether tests of such a file are known by name. */
export function namesTests(path: string): boolean {
  return TEST_SYNTAXES.some(({ files }) => files.test(path))
}

/** Returns whether such a file declares tests among other things, as a build file does. */
export function namesTestsBesideOthers(path: string): boolean {
  return TEST_SYNTAXES.some(({ files, isBuildFile }) => isBuildFile === true && files.test(path))
}

/** Returns the tests that a source declares, in order; none for an unsupported language. Never throws. */
export function findTestCases(path: string, text: string): readonly TestCaseSource[] {
  if (text.length > MAX_TEXT) return []
  const code = withoutComments(path, text)
  const lineAt = lineCounter(code)
  const lastLineAt = lineCounter(code)
  return TEST_SYNTAXES.filter(({ files }) => files.test(path))
    .flatMap((syntax) => found(syntax, code))
    .sort((one, other) => one.index - other.index)
    .slice(0, MAX_CASES)
    .map(({ index, end, above, match, name, body, marks, isSkipped }) => {
      const line = lineAt(index + leadingBreaks(match[0]))
      return {
        ...{ name, line, body, marks, isSkipped },
        lines: { first: line - above, last: lastLineAt(end) },
        isUncollected: isUncollected(path, text, code, match),
      }
    })
}

/** Code in brackets that a source contains only for its tests: a module, a helper, a single test. */
export interface TestBlock {
  readonly name: string
  readonly lines: Lines
}

/** Returns the code that a source contains only for its tests, in order and not nested. Never throws. */
export function findTestBlocks(path: string, text: string): readonly TestBlock[] {
  if (text.length > MAX_TEXT) return []
  const code = withoutComments(path, text)
  return TEST_SYNTAXES.flatMap(({ files, own }) =>
    own === undefined || !files.test(path) ? [] : blocksBy(own, code),
  )
}

/** Returns the code of that name in a source, whatever its attributes, because code that was only for tests may have been switched off. */
export function findBlockNamed(path: string, text: string, name: string): TestBlock | undefined {
  const own = findTestBlocks(path, text).find((block) => block.name === name)
  if (own !== undefined || text.length > MAX_TEXT) return own
  const words = name.replace(/[.]/g, '\\.').replace(/\s+/g, '\\s+')
  const loose = new RegExp(String.raw`(?<block>\b${words})\b[^;{]{0,400}(?=\{)`, 'g')
  return blocksBy(loose, withoutComments(path, text))[0]
}

function blocksBy(start: RegExp, code: string): readonly TestBlock[] {
  const blocks: TestBlock[] = []
  const [firstLineAt, lastLineAt] = [lineCounter(code), lineCounter(code)]
  let from = 0
  for (const match of [...code.matchAll(start)].slice(0, MAX_CASES)) {
    const opening = match.index + match[0].length
    if (match.index < from) continue
    from = closingBracket(code, opening, code.length)
    const name = joined(match.groups?.block ?? '')
    blocks.push({ name, lines: { first: firstLineAt(match.index), last: lastLineAt(from) } })
  }
  return blocks
}

/** Returns the code of these lines without whole-line comments and the lines in `without`, with white space collapsed. */
export function codeOf(path: string, text: string, lines: Lines, without: readonly Lines[]): string {
  return joined(linesOf(withoutComments(path, text), lines, without).join('\n'))
}

/** Returns these lines of a text, minus the lines in `without`. */
export function linesOf(text: string, { first, last }: Lines, without: readonly Lines[]): readonly string[] {
  const isCut = (line: number): boolean => without.some((cut) => line >= cut.first && line <= cut.last)
  return text
    .split('\n')
    .slice(first - 1, last)
    .filter((_line, at) => !isCut(first + at))
}

function found(syntax: TestSyntax, code: string) {
  const starts = [...code.matchAll(syntax.start)].slice(0, MAX_CASES)
  if (starts.length === 0) return []
  const off = rangesOff(syntax, code)
  const offNames = new Set(
    syntax.offNames === undefined
      ? []
      : [...code.matchAll(syntax.offNames)].flatMap(([, names = '']) => names.split(/\s+/)),
  )
  return starts.map((match, at) => {
    const { index } = match
    const { suite, a, b, c, d } = match.groups ?? {}
    const own = a ?? b ?? c ?? d ?? ''
    const name = `${suite === undefined ? '' : `${suite}.`}${own}`
    const end = endOf(syntax, code, match, starts[at + 1]?.index ?? code.length)
    const whole = code.slice(index, end)
    const attributes = attributesAbove(code, index)
    return {
      index,
      match,
      name,
      body: joined(whole.slice(match[0].length)),
      marks: joined(`${attributes} ${match[0].replace(own, '')}`),
      end,
      above: attributes.split('\n').length - 1,
      isSkipped:
        off.some(([from, to]) => index >= from && index < to) ||
        offNames.has(name) ||
        syntax.skip.test(`${whole}${chainedTo(code, end)}`) ||
        syntax.skip.test(attributes) ||
        skipsItself(syntax, whole, match[0].length),
    }
  })
}

function joined(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

type Range = readonly [from: number, to: number]

/** Returns the ranges in which everything is skipped: the whole file, a group, or all tests after a skipping set-up. */
function rangesOff(syntax: TestSyntax, code: string): readonly Range[] {
  const all: Range = [0, code.length]
  if (syntax.offFile?.test(code) === true) return [all]
  const extent = (match: RegExpExecArray): Range => [match.index, endOf(syntax, code, match, code.length)]
  const setUps = syntax.setUp === undefined ? [] : [...code.matchAll(syntax.setUp)]
  const isOff = setUps.some((match) => {
    const [from, to] = extent(match)
    return skipsItself(syntax, code.slice(from, to), match[0].length)
  })
  if (isOff) return [all]
  return syntax.offGroup === undefined ? [] : [...code.matchAll(syntax.offGroup)].map(extent)
}

/** Returns whether a statement directly in the body skips; deeper ones depend on a condition. */
function skipsItself({ statement }: TestSyntax, whole: string, head: number): boolean {
  if (statement === undefined) return false
  const [first = '', ...lines] = whole.slice(head).split('\n')
  const inline = /(?:\{|\bdo\b|=>|\)\s*:)\s*(.+)$/.exec(first)?.[1] ?? ''
  const indentOf = (line: string): number => line.length - line.trimStart().length
  const body = lines.filter((line) => line.trim() !== '' && !/^\s*\{\s*$/.test(line))
  const depth = indentOf(body[0] ?? '')
  return [inline, ...body.filter((line) => indentOf(line) === depth)].some((line) =>
    statement.test(line.trim()),
  )
}

/** Build tags that Go satisfies by default. */
const GO_BUILDS = /^(?:linux|darwin|unix|amd64|arm64|cgo|gc|go1\.\d+)$/
const GO_ELSEWHERE =
  /_(?:windows|js|wasip1|plan9|solaris|illumos|aix|android|ios|dragonfly|freebsd|netbsd|openbsd)(?:_\w+)?_test\.go$/

function isUncollected(path: string, text: string, code: string, match: RegExpExecArray): boolean {
  if (/_test\.go$/.test(path)) return GO_ELSEWHERE.test(path) || needsGoTag(text)
  const indent = match.groups?.indent?.length ?? 0
  if (!/\.pyi?$/i.test(path) || indent === 0) return false
  const lines = code.slice(0, match.index).split('\n')
  const at = lines.findLastIndex(
    (line) => line.trim() !== '' && line.length - line.trimStart().length < indent,
  )
  const body = lines.slice(at + 1).filter((line) => line.length - line.trimStart().length === indent)
  const [, name = 'Test', bases = ''] = /^\s*class\s+(\w+)\s*(?:\(([^)]*)\))?/.exec(lines[at] ?? '') ?? []
  return (
    (!name.startsWith('Test') && !/Test/.test(bases)) ||
    body.some((line) => /^\s*__test__\s*=\s*False\b/.test(line))
  )
}

/** Returns whether a build tag must be requested. With "or" one of several is enough, and a negated tag is not needed. */
function needsGoTag(text: string): boolean {
  const [, constraint] =
    /^\/\/\s*(?:go:build|\+build)\s+([^\n]+)$/m.exec(text.split(/^package\s/m)[0] ?? '') ?? []
  if (constraint === undefined || constraint.includes('||')) return false
  const wanted = constraint.replace(/!\s*(?:\([^)]*\)|[\w.]+)/g, '').match(/[\w.]+/g) ?? []
  return wanted.some((tag) => !GO_BUILDS.test(tag))
}

function leadingBreaks(text: string): number {
  return text.length - text.trimStart().length
}

function lineCounter(text: string): (at: number) => number {
  let line = 1
  let position = 0
  return (at) => {
    for (; position < at; position += 1) if (text[position] === '\n') line += 1
    return line
  }
}

function endOf(syntax: TestSyntax, code: string, match: RegExpExecArray, next: number): number {
  if (syntax.end === 'indentation') return endByIndentation(code, match, next)
  const opening =
    syntax.opening === undefined
      ? code.indexOf('{', match.index + match[0].length)
      : code.indexOf(syntax.opening, match.index)
  return opening < 0 ? next : closingBracket(code, opening, Math.max(next, opening + 1))
}

/** Returns the end: the first line below that is not indented further than the test itself, and not part of a text. */
function endByIndentation(code: string, match: RegExpExecArray, next: number): number {
  const indent = match.groups?.indent?.length ?? 0
  let at = code.indexOf('\n', match.index + match[0].length)
  let isInText = isOddInTexts(code.slice(match.index, at < 0 ? code.length : at))
  while (at >= 0 && at < next) {
    const lineEnd = code.indexOf('\n', at + 1)
    const line = code.slice(at + 1, lineEnd < 0 ? code.length : lineEnd)
    const isCode = !isInText && line.trim() !== '' && !/^\s*[)\]}]/.test(line)
    if (isOddInTexts(line)) isInText = !isInText
    if (isCode && line.length - line.trimStart().length <= indent) return at
    at = lineEnd
  }
  return next
}

/** Whether a text in triple quotes begins or ends in this line, rather than both. */
function isOddInTexts(line: string): boolean {
  return (line.match(/"""|'''/g)?.length ?? 0) % 2 === 1
}

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

/** Returns the position after the closing bracket, ignoring strings; `fallback` if brackets don't match. */
function closingBracket(code: string, opening: number, fallback: number): number {
  const open: string[] = []
  for (let at = opening; at < code.length; at += 1) {
    const character = code[at] ?? ''
    if (character === '"' || character === "'" || character === '`') at = endOfString(code, at)
    else if (character in CLOSING) open.push(CLOSING[character] ?? '')
    else if (character === open.at(-1)) {
      open.pop()
      if (open.length === 0) return at + 1
    } else if (character === ')' || character === ']' || character === '}') return fallback
  }
  return fallback
}

function endOfString(code: string, start: number): number {
  const mark = code[start]
  for (let at = start + 1; at < code.length; at += 1) {
    if (code[at] === '\\') at += 1
    else if (code[at] === mark) return at
    // An apostrophe in a regular expression or a lifetime doesn't start a string.
    else if (code[at] === '\n' && mark !== '`') return start
  }
  return start
}

/** Returns the calls chained to the end of a test, such as `->skip()`. */
function chainedTo(code: string, end: number): string {
  return /^\s*->[^;]{0,400}/.exec(code.slice(end, end + 500))?.[0] ?? ''
}

/** Returns the attributes or decorators directly above, and before it on the same line; inside brackets they may span lines. */
function attributesAbove(code: string, at: number): string {
  const lines = code.slice(Math.max(0, at - 4_000), at).split('\n')
  const kept = [lines.pop() ?? '']
  let open: string[] = []
  let depth = 0
  for (const line of lines.toReversed().slice(0, LINES_ABOVE)) {
    open.unshift(line)
    depth += (line.match(/[)\]}]/g)?.length ?? 0) - (line.match(/[([{]/g)?.length ?? 0)
    if (depth > 0) continue
    if (depth < 0 || !/^\s*(?:@|#?\[)/.test(line)) break
    kept.unshift(...open)
    open = []
  }
  return kept.join('\n')
}

/** A PHP comment; with `@test` it makes the method below it a test. Without an end it reaches to the end of the text. */
const PHP_COMMENT = /\/\*\*[\s\S]*?(?:\*\/|(?![\s\S]))/g
/** Blocks of text that a language ignores, other than comments; after an end mark, everything. */
const PASSED_OVER: readonly (readonly [files: RegExp, blocks: RegExp])[] = [
  [/\.t$/, /^=[a-z]\w*[\s\S]*?(?:^=cut\b.*$|(?![\s\S]))|^__(?:END|DATA)__$[\s\S]*/gm],
  [/\.rb$/i, /^=begin\b[\s\S]*?(?:^=end\b.*$|(?![\s\S]))|^__END__$[\s\S]*/gm],
  [
    /\.(?:c|cc|cpp|cxx)$/i,
    /^[ \t]*#[ \t]*if[ \t]+0\b[\s\S]*?(?:^[ \t]*#[ \t]*(?:endif|else|elif)\b.*$|(?![\s\S]))/gm,
  ],
  [/(?:^|\/)CMakeLists\.txt$|\.cmake$/i, /#\[\[[\s\S]*?(?:\]\]|(?![\s\S]))/g],
]
const HASH_COMMENTS = /(?:\.(?:pyi?|rb|exs|t|cmake|sh|bash|bats)|(?:^|\/)CMakeLists\.txt)$/i

/** Blanks whole-line comments, so that lines keep their numbers and commented-out tests are gone. */
function withoutComments(path: string, source: string): string {
  const blank = (block: string): string => block.replace(/[^\n]+/g, '')
  const text = PASSED_OVER.filter(([files]) => files.test(path)).reduce(
    (kept, [, blocks]) => kept.replace(blocks, blank),
    /\.php$/i.test(path)
      ? source.replace(PHP_COMMENT, (block) => `${/@test\b/.test(block) ? '#[Test]' : ''}${blank(block)}`)
      : source,
  )
  if (HASH_COMMENTS.test(path)) return text.replace(/^[ \t]*#.*$/gm, '')
  let isInBlock = false
  return text
    .split('\n')
    .map((line) => {
      const trimmed = line.trimStart()
      const begins = !isInBlock && trimmed.startsWith('/*')
      if (!isInBlock && !begins) return trimmed.startsWith('//') ? '' : line
      const end = trimmed.indexOf('*/', begins ? 2 : 0)
      isInBlock = end === -1
      return end === -1 ? '' : trimmed.slice(end + 2)
    })
    .join('\n')
}
