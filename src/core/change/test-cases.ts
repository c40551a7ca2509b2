/** A test as a source file declares it. */
export interface TestCaseSource {
  readonly name: string
  /** From 1. */
  readonly line: number
  /** Its code without its name, white space joined: equal for a test that was only renamed or moved. */
  readonly body: string
  readonly isSkipped: boolean
  /** Its runner finds no test there, unless it is configured to. */
  readonly isUncollected: boolean
}

interface Syntax {
  readonly files: RegExp
  /** Finds where a test begins; the group `name` is its name. Global and multi-line. */
  readonly start: RegExp
  /** How its end is found. */
  readonly end: 'brackets' | 'indentation'
  /** The bracket that a test begins with; left out: a brace. */
  readonly opening?: '('
  /** Tested against the text of a test's beginning and the text around it. */
  readonly skip: RegExp
}

const QUOTED = `${String.raw`(?:'(?<a>(?:[^'\\\n]|\\.){1,300})'|"(?<b>(?:[^"\\\n]|\\.){1,300})"|`}\`(?<c>[^\`]{1,300})\`)`

const SYNTAXES: readonly Syntax[] = [
  {
    files: /\.(?:[cm]?[jt]sx?|vue|svelte)$/i,
    start: new RegExp(
      String.raw`(?<![.\w$])(?:x|f)?(?:it|test|specify)(?:\.(?:skip|only|todo|fails|failing|concurrent|sequential|each|skipIf|runIf)\b(?:\([^()\n]{0,200}\))?)*\s*\(\s*${QUOTED}`,
      'g',
    ),
    end: 'brackets',
    opening: '(',
    skip: /^x|\.(?:skip|todo|failing|fails|skipIf|runIf)\b|^[^\n]{0,400},\s*\{[^}\n]{0,100}\b(?:skip|todo)\s*:\s*(?!false|undefined|null)/,
  },
  {
    files: /\.pyi?$/i,
    start: /^(?<indent>[ \t]*)(?:async[ \t]+)?def[ \t]+(?<a>test\w*)[ \t]*\(/gm,
    end: 'indentation',
    skip: /@(?:pytest\.mark\.(?:skip|skipif|xfail)|unittest\.(?:skip\w*|expectedFailure))\b|^[ \t]*(?:pytest\.(?:skip|xfail)|self\.skipTest|raise\s+(?:unittest\.)?SkipTest)\b/m,
  },
  {
    files: /_test\.go$/i,
    start: /^func[ \t]+(?:\([^)\n]*\)[ \t]*)?(?<a>(?:Test|Fuzz|Example)\w*)[ \t]*\(/gm,
    end: 'brackets',
    skip: /^[^\n]*\{\s*(?:\/\/[^\n]*\s*)*[tbf]\.(?:Skip|Skipf|SkipNow)\s*\(/,
  },
  {
    files: /\.rs$/i,
    start: /#\[(?:\w+::)*test\b[^\]]*\]\s*(?:#\[[^\]]*\]\s*)*(?:pub\s+)?(?:async\s+)?fn\s+(?<a>\w+)\s*\(/g,
    end: 'brackets',
    skip: /#\[ignore\b/,
  },
  {
    files: /\.(?:java|kt|kts|groovy|scala)$/i,
    start:
      /@(?:Parameterized|Repeated)?Test\b[^{;]{0,400}?(?:void|fun)\s+(?:`(?<c>[^`\n]+)`|(?<a>\w+))\s*\(/g,
    end: 'brackets',
    skip: /@(?:Disabled|Ignore)\b/,
  },
  {
    files: /\.rb$/i,
    start: new RegExp(
      String.raw`^(?<indent>[ \t]*)(?:(?:x?it|specify|test|scenario)[ \t(]+${QUOTED}|def[ \t]+(?<d>test_\w+))`,
      'gm',
    ),
    end: 'indentation',
    skip: /^[ \t]*xit\b|^[ \t]*(?:skip|pending)\b/m,
  },
  {
    files: /\.php$/i,
    start: /\bfunction[ \t]+(?<a>test\w*)[ \t]*\(/g,
    end: 'brackets',
    skip: /(?:->|::)markTest(?:Skipped|Incomplete)\s*\(/,
  },
  {
    files: /\.(?:bats|sh|bash)$/i,
    start: new RegExp(String.raw`^@test[ \t]+${QUOTED}`, 'gm'),
    end: 'brackets',
    skip: /\{\s*skip\b/,
  },
]

/** More tests than this in one file were written by a program. */
const MAX_CASES = 5_000
const MAX_TEXT = 1024 * 1024
/** Decorators and attributes of a test stand so far above it at most. */
const LINES_ABOVE = 6

/** Whether tests of such a file are known by name. */
export function namesTests(path: string): boolean {
  return SYNTAXES.some(({ files }) => files.test(path))
}

/** The tests that a source declares, in order; none for a language that is not read. Never throws. */
export function findTestCases(path: string, text: string): readonly TestCaseSource[] {
  const syntax = SYNTAXES.find(({ files }) => files.test(path))
  if (syntax === undefined || text.length > MAX_TEXT) return []
  const code = withoutComments(path, text)
  const starts = [...code.matchAll(syntax.start)].slice(0, MAX_CASES)
  const lineAt = lineCounter(code)
  const isOff = isFileOff(path, code)
  return starts.map((match, index) => {
    const { a, b, c, d } = match.groups ?? {}
    const name = a ?? b ?? c ?? d ?? ''
    const next = starts[index + 1]?.index ?? code.length
    const end = endOf(syntax, code, match, next)
    const whole = code.slice(match.index, end)
    const above =
      syntax.end === 'indentation' ? decoratorsAbove(code, match.index) : linesBefore(code, match.index)
    return {
      name,
      line: lineAt(match.index + leadingBreaks(match[0])),
      body: whole.slice(match[0].length).replace(/\s+/g, ' ').trim(),
      isSkipped: isOff || syntax.skip.test(whole) || syntax.skip.test(above),
      isUncollected: isUncollected(path, text, code, match),
    }
  })
}

/** A module that skips itself: none of its tests is run. */
function isFileOff(path: string, code: string): boolean {
  if (!/\.pyi?$/i.test(path)) return false
  return /^pytestmark\s*=[^\n]*\bmark\.(?:skip|xfail)\b(?!if)|^pytest\.skip\([^\n]*allow_module_level|^__test__\s*=\s*False\b|^raise\s+(?:unittest\.)?SkipTest\b/m.test(
    code,
  )
}

/** Systems and words that a build of Go takes in by itself. */
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

/** A tag that has to be asked for; of several that are joined by "or" one is enough, and one that is denied is not needed. */
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

function endOf(syntax: Syntax, code: string, match: RegExpExecArray, next: number): number {
  if (syntax.end === 'indentation') return endByIndentation(code, match, next)
  const opening = code.indexOf(syntax.opening ?? '{', match.index)
  return opening < 0 ? next : closingBracket(code, opening, Math.max(next, opening + 1))
}

/** The first line below that is indented no further than the test itself. */
function endByIndentation(code: string, match: RegExpExecArray, next: number): number {
  const indent = match.groups?.indent?.length ?? 0
  let at = code.indexOf('\n', match.index + match[0].length)
  while (at >= 0 && at < next) {
    const lineEnd = code.indexOf('\n', at + 1)
    const line = code.slice(at + 1, lineEnd < 0 ? code.length : lineEnd)
    const isCode = line.trim() !== '' && !/^\s*[)\]}]/.test(line)
    if (isCode && line.length - line.trimStart().length <= indent) return at
    at = lineEnd
  }
  return next
}

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

/** Strings are passed over; where brackets do not match it ends with the next test. */
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
    // An apostrophe in a regular expression or a lifetime is no string.
    else if (code[at] === '\n' && mark !== '`') return start
  }
  return start
}

function linesBefore(code: string, at: number): string {
  const lineStart = code.lastIndexOf('\n', at - 1) + 1
  return code.slice(lineStart, at)
}

/** Lines right above that begin with `@`. */
function decoratorsAbove(code: string, at: number): string {
  const lines = code
    .slice(Math.max(0, at - 4_000), at)
    .split('\n')
    .slice(0, -1)
  const kept: string[] = []
  for (const line of lines.toReversed().slice(0, LINES_ABOVE)) {
    if (!/^\s*(?:@|[\w"')\]},]+.*[,)]?\s*$)/.test(line) || line.trim() === '') break
    kept.unshift(line)
  }
  const first = kept.findIndex((line) => /^\s*@/.test(line))
  return first < 0 ? '' : kept.slice(first).join('\n')
}

/** Whole lines of comment become blank, so that lines keep their numbers and a test that was commented out is gone. */
function withoutComments(path: string, text: string): string {
  if (/\.(?:pyi?|rb|sh|bash|bats)$/i.test(path)) return text.replace(/^[ \t]*#.*$/gm, '')
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
