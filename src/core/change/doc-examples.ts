import type { Lines } from './test-cases.ts'

/** Something that a text documents: a function with its docstring, a page as a whole. */
interface Documented {
  readonly name: string
  /** The line before which its documentation begins, or would begin, from 1. */
  readonly at: number
  readonly indent: string
  /** `null` if there is no doc comment. */
  readonly doc: Lines | null
  /** The lines that a runner of examples reads. */
  readonly examples: readonly string[]
}

/** A page or source as it was and as it is. */
interface BothTexts {
  readonly path: string
  readonly before: string
  readonly after: string
}

type Reader = (lines: readonly string[]) => readonly Documented[]

/** A larger text was generated. */
const MAX_TEXT = 1024 * 1024

const READERS: readonly (readonly [files: RegExp, read: Reader])[] = [
  [/\.pyi?$/i, readPython],
  [/\.rs$/i, readRust],
  [/\.exs?$/i, readElixir],
  [/\.(?:md|markdown|rst)$/i, (lines) => [pageOf(lines)]],
]

/** Returns whether texts of this kind can contain examples that are executed as tests: doctests of Python, Rust and Elixir. */
export function mayContainExamples(path: string): boolean {
  return READERS.some(([files]) => files.test(path))
}

/**
 * Returns the current text with the former documentation of everything that lost or changed an example. Omits documentation
 * with only new examples after the former ones, and documentation of removed code, because its missing tests are known by
 * name. Pure; never throws.
 */
export function withFormerExamples({ path, before, after }: BothTexts): string {
  const read = READERS.find(([files]) => files.test(path))?.[1]
  if (read === undefined || before === after || Math.max(before.length, after.length) > MAX_TEXT) return after
  const [former, lines] = [before.split('\n'), after.split('\n')]
  const was = read(former).filter(({ examples }) => examples.length > 0)
  if (was.length === 0) return after
  const changed = changedIn(was, read(lines)).sort(([, one], [, other]) => other.at - one.at)
  for (const [earlier, now] of changed) {
    const { first, last } = earlier.doc ?? { first: 1, last: 0 }
    const doc = former.slice(first - 1, last).map((line) => moved(line, earlier.indent, now.indent))
    lines.splice(
      (now.doc?.first ?? now.at) - 1,
      now.doc === null ? 0 : now.doc.last - now.doc.first + 1,
      ...doc,
    )
  }
  return lines.join('\n')
}

/** Pairs old and new documentation of the same name if the new one does not begin with the old examples; pairs those that do
 * first. */
function changedIn(
  was: readonly Documented[],
  is: readonly Documented[],
): (readonly [before: Documented, now: Documented])[] {
  const open = new Set(is)
  const find = (one: Documented, isMeant: (now: Documented) => boolean): Documented | undefined => {
    const found = [...open].find((now) => now.name === one.name && isMeant(now))
    if (found !== undefined) open.delete(found)
    return found
  }
  return was
    .filter((one) => find(one, ({ examples }) => beginsWith(examples, one.examples)) === undefined)
    .flatMap((one) => {
      const now = find(one, ({ doc }) => doc !== null) ?? find(one, () => true)
      return now === undefined ? [] : [[one, now] as const]
    })
}

function beginsWith(now: readonly string[], before: readonly string[]): boolean {
  return before.every((line, at) => now[at] === line)
}

function moved(line: string, from: string, to: string): string {
  return line.startsWith(from) ? `${to}${line.slice(from.length)}` : line
}

/** A prompt of Python or Elixir. */
const PROMPT = /^\s*(?:>>>|iex(?:\(\d+\))?>)(?:\s|$)/

/** Everything from a prompt to the next blank line, which ends an example. */
function prompted(lines: readonly string[]): readonly string[] {
  let isInside = false
  return lines.flatMap((line) => {
    isInside = line.trim() !== '' && (isInside || PROMPT.test(line))
    return isInside ? [line.trim()] : []
  })
}

const FENCE = /^\s*(?<fence>`{3,}|~{3,})(?<info>.*)$/

/**
 * Returns the fences that `isMeant` selects by their info string, with their contents. If there are any, also returns lines of HTML, which
 * may hide a fence.
 */
function fenced(lines: readonly string[], isMeant: (info: string) => boolean): readonly string[] {
  const kept: string[] = []
  let open: { readonly fence: string; readonly isMeant: boolean } | null = null
  let isAny = false
  for (const line of lines) {
    const { fence, info = '' } = FENCE.exec(line)?.groups ?? {}
    const opens = open === null && fence !== undefined
    if (opens) open = { fence, isMeant: isMeant(info.trim()) }
    isAny ||= open?.isMeant === true
    if (open?.isMeant ?? /^\s{0,3}</.test(line)) kept.push(line.trimEnd())
    if (!opens && open !== null && fence?.startsWith(open.fence) === true && info.trim() === '') open = null
  }
  return isAny ? kept : []
}

const RUST_INFO = /^(?:rust|should_panic|no_run|ignore|compile_fail|edition\d+|standalone\w*|test_harness)\b/

/** A page is restored as a whole, because its examples may share what they define. */
function pageOf(lines: readonly string[]): Documented {
  const examples = [...prompted(lines), ...fenced(lines, (info) => RUST_INFO.test(info))]
  return { name: '', at: 1, indent: '', doc: { first: 1, last: lines.length }, examples }
}

const PYTHON_HEAD = /^(?<indent>[ \t]*)(?:async[ \t]+)?(?:def|class)[ \t]+(?<name>\w+)/
const PYTHON_DOC = /^[ \t]*[rRuU]?(?<quotes>"""|''')/

function readPython(lines: readonly string[]): readonly Documented[] {
  const found = [docBelow(lines, 0, { name: '', indent: '' })]
  for (const [at, line] of lines.entries()) {
    const { name, indent = '' } = PYTHON_HEAD.exec(line)?.groups ?? {}
    if (name !== undefined) found.push(docBelow(lines, endOfHead(lines, at), { name, indent }))
  }
  return found
}

/** Returns the index of the line after the head of a function or class; the head ends when its brackets are closed. */
function endOfHead(lines: readonly string[], first: number): number {
  let depth = 0
  for (let at = first; at < Math.min(first + 200, lines.length); at += 1) {
    const code = (lines[at] ?? '').replace(/'[^']*'|"[^"]*"|#.*$/g, '')
    depth += (code.match(/[([{]/g)?.length ?? 0) - (code.match(/[)\]}]/g)?.length ?? 0)
    if (depth <= 0) return at + 1
  }
  return first + 1
}

/** Finds the string that a body begins with; comments may precede it. */
function docBelow(
  lines: readonly string[],
  from: number,
  named: Pick<Documented, 'name' | 'indent'>,
): Documented {
  const first = lines.findIndex((line, at) => at >= from && !/^\s*(?:#.*)?$/.test(line))
  const quotes = PYTHON_DOC.exec(lines[first] ?? '')?.groups?.quotes
  if (first < 0 || quotes === undefined) return { ...named, at: from + 1, doc: null, examples: [] }
  const start = (lines[first] ?? '').indexOf(quotes) + quotes.length
  const isOnOneLine = (lines[first] ?? '').includes(quotes, start)
  const end = isOnOneLine ? first : lines.findIndex((line, at) => at > first && line.includes(quotes))
  const last = end < 0 ? lines.length - 1 : end
  const text = lines.slice(first, last + 1)
  text[0] = (text[0] ?? '').slice(start)
  text.push((text.pop() ?? '').replace(quotes, ''))
  return { ...named, at: from + 1, doc: { first: first + 1, last: last + 1 }, examples: prompted(text) }
}

const RUST_HEAD =
  /^(?<indent>\s*)(?:#\[[^\]]*\]\s*)*(?:pub(?:\([^)]*\))?\s+)?(?:(?:default|async|unsafe|const|extern(?:\s+"[^"]*")?)\s+)*(?:(?:fn|struct|enum|trait|mod|type|const|static|union|impl(?:<[^{]*?>)?)\s+|macro_rules!\s*)(?<name>[\w:]+)/

function readRust(lines: readonly string[]): readonly Documented[] {
  return [
    ...docsInside(lines, 0, {
      isDoc: (line) => /^\s*\/\/!/.test(line),
      textOf: (line) => line.replace(/^\s*\/\/!\s?/, ''),
      examplesOf: rustExamples,
    }),
    ...docsAbove(lines, {
      isDoc: (line) => /^\s*\/\/\/(?!\/)/.test(line),
      block: [/^\s*\/\*\*(?![*/])/, /\*\//],
      head: RUST_HEAD,
      textOf: (line) => line.replace(/^\s*(?:\/\/\/|\/\*\*|\*\/|\*)\s?/, ''),
      examplesOf: rustExamples,
    }),
  ]
}

/** Code is Rust unless its fence names something else; four spaces begin code too. */
function rustExamples(lines: readonly string[]): readonly string[] {
  const isIndented = lines.some((line, at) => /^ {4}\S/.test(line) && (lines[at - 1] ?? '').trim() === '')
  const hasFence = lines.some((line) => FENCE.test(line))
  if (isIndented) return lines.map((line) => line.trimEnd())
  return hasFence ? fenced(lines, (info) => info === '' || RUST_INFO.test(info)) : []
}

const ELIXIR_HEAD = /^(?<indent>\s*)(?:def|defmacro|defguard|defdelegate)\s+(?<name>\w+[?!]?)/

function readElixir(lines: readonly string[]): readonly Documented[] {
  const shared = { isDoc: () => false, textOf: (line: string) => line, examplesOf: prompted }
  const end = /^\s*(?:"""|''')/
  const first = lines.findIndex((line) => /^\s*defmodule\b/.test(line))
  return [
    ...docsInside(lines, first + 1, {
      ...shared,
      block: [/^\s*@moduledoc\s+(?:~[sS])?(?:"""|''')/, end],
    }),
    ...docsAbove(lines, {
      ...shared,
      block: [/^\s*@doc\s+(?:~[sS])?(?:"""|''')/, end],
      head: ELIXIR_HEAD,
    }),
  ]
}

interface Above {
  /** Whether a line by itself is documentation. */
  readonly isDoc: (line: string) => boolean
  /** The marks that begin and end documentation of several lines. */
  readonly block?: readonly [begin: RegExp, end: RegExp]
  readonly head: RegExp
  readonly textOf: (line: string) => string
  readonly examplesOf: (lines: readonly string[]) => readonly string[]
}

/** Finds documentation inside what it documents; if there is none, returns the place for it after `behind` lines. */
function docsInside(
  lines: readonly string[],
  behind: number,
  above: Omit<Above, 'head'>,
): readonly Documented[] {
  const found = docsAbove(lines, { ...above, head: /^(?<indent>)(?<name>)/ }).filter(
    ({ doc }) => doc !== null,
  )
  return found.length > 0 ? found : [{ name: '', at: behind + 1, indent: '', doc: null, examples: [] }]
}

/** Finds each head with the documentation above it; attributes, comments and blank lines may come between. */
function docsAbove(
  lines: readonly string[],
  { isDoc, block, head, textOf, examplesOf }: Above,
): readonly Documented[] {
  const found: Documented[] = []
  let doc: Lines | null = null
  let isInBlock = false
  for (const [index, line] of lines.entries()) {
    const at = index + 1
    const begins: boolean = !isInBlock && block?.[0].test(line) === true
    if (isInBlock || begins || isDoc(line)) {
      doc = { first: begins || doc === null ? at : doc.first, last: at }
      isInBlock = (isInBlock || begins) && !endsBlock(line, block, begins)
      continue
    }
    const { name, indent = '' } = head.exec(line)?.groups ?? {}
    if (name !== undefined) {
      const text = doc === null ? [] : lines.slice(doc.first - 1, doc.last).map(textOf)
      found.push({ name, at, indent, doc, examples: examplesOf(text) })
    }
    if (name !== undefined || !/^\s*(?:$|#|\/\/|@|[)\]])/.test(line)) doc = null
  }
  return found
}

function endsBlock(line: string, block: Above['block'], begins: boolean): boolean {
  const rest = begins ? line.replace(block?.[0] ?? '', '') : line
  return block?.[1].test(rest) === true
}
