import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parser as markdown } from '@lezer/markdown'
import { type Node, parseSync, Visitor } from 'oxc-parser'
import { type Engine, fromYAML } from 'prh'
import { parse } from 'yaml'

/** A phrase that the dictionary replaces. `line` and `column` count from 1. */
export interface Finding {
  readonly line: number
  readonly column: number
  readonly found: string
  readonly expected: string
}

/** A range of text that people read: offsets into its file, end exclusive. */
type Span = readonly [start: number, end: number]

export const DICTIONARY = join(import.meta.dirname, 'prose.yml')

/** Text that stays as it is in one file, because the file quotes it. */
export interface Quotation {
  readonly file: string
  readonly text: string
}

/** Reads a dictionary in prh's format. Throws if it is not YAML, or an example (`specs`) in it fails. */
export function readDictionary(text = readFileSync(DICTIONARY, 'utf8')): Engine {
  return fromYAML(DICTIONARY, text, { disableImports: true })
}

/** Returns the dictionary's `quotations`. */
export function readQuotations(text = readFileSync(DICTIONARY, 'utf8')): readonly Quotation[] {
  return parse(text).quotations ?? []
}

/**
 * Returns what the dictionary replaces in the prose of a file: a document without its code, or a source file's comments, text
 * and test names. Ignores code, keys, single words in quotes, and `quoted` text.
 */
export function checkProse(
  file: string,
  source: string,
  dictionary: Engine,
  quoted: readonly string[] = [],
): readonly Finding[] {
  const text = quoted.reduce((left, quotation) => left.replaceAll(quotation, blank), source)
  const prose = keepOnly(text, file.endsWith('.md') ? proseOfDocument(text) : proseOfSource(file, text))
  return dictionary.makeChangeSet(file, prose).diffs.flatMap((diff) => {
    const expected = diff.newText
    const found = diff.matches[0] ?? ''
    if (expected === null || expected === found) return []
    const before = text.slice(0, diff.index).split('\n')
    return [{ line: before.length, column: (before.at(-1) ?? '').length + 1, found, expected }]
  })
}

/** Replaces everything outside the spans with spaces, so that offsets and lines stay correct. */
function keepOnly(text: string, spans: readonly Span[]): string {
  let kept = ''
  let end = 0
  for (const [from, to] of [...spans].sort(([a], [b]) => a - b)) {
    if (from < end) continue
    kept += blank(text.slice(end, from)) + text.slice(from, to)
    end = to
  }
  return kept + blank(text.slice(end))
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ')
}

const CODE = new Set([
  'FencedCode',
  'CodeBlock',
  'InlineCode',
  'URL',
  'HTMLBlock',
  'HTMLTag',
  'LinkReference',
])

function proseOfDocument(text: string): readonly Span[] {
  const spans: Span[] = []
  let end = 0
  markdown.parse(text).iterate({
    enter(node) {
      if (!CODE.has(node.name)) return true
      spans.push([end, node.from])
      end = node.to
      return false
    },
  })
  return [...spans, [end, text.length]]
}

const TEST_NAME = new Set(['it', 'test', 'describe'])

function proseOfSource(file: string, text: string): readonly Span[] {
  const { comments, program } = parseSync(file, text)
  const spans: Span[] = comments.flatMap(({ start, end }) => withoutCode(text, start, end))
  const isTest = /\.(test|spec)\.tsx?$/.test(file)
  // A sentence has a space; a string without one is a key, a code or a path.
  const add = ({ start, end }: Node) => {
    if (/\S\s\S/.test(text.slice(start + 1, end - 1))) spans.push([start, end])
  }
  new Visitor(
    isTest
      ? {
          CallExpression({ callee, arguments: [name] }) {
            if (name !== undefined && TEST_NAME.has(nameOf(callee))) namesIn(name).forEach(add)
          },
        }
      : {
          Literal(node) {
            if (typeof node.value === 'string') add(node)
          },
          TemplateElement: add,
          JSXText: add,
        },
  ).visit(program)
  return spans
}

/** Returns the parts of a comment outside backticks. */
function withoutCode(text: string, start: number, end: number): readonly Span[] {
  const spans: Span[] = []
  let from = start
  for (const { index, 0: code } of text.slice(start, end).matchAll(/`[^`\n]+`/g)) {
    spans.push([from, start + index])
    from = start + index + code.length
  }
  return [...spans, [from, end]]
}

/** Returns the name of the called function: `it` for `it(…)`, `it.each(…)(…)` and `it.skipIf(…)(…)`. */
function nameOf(callee: Node): string {
  if (callee.type === 'Identifier') return callee.name
  if (callee.type === 'CallExpression') return nameOf(callee.callee)
  return callee.type === 'MemberExpression' ? nameOf(callee.object) : ''
}

/** Returns the name of a test, or the names in a table: each row's first cell. The other cells are a test's input and expected results. */
function namesIn(argument: Node): readonly Node[] {
  if (argument.type === 'TSAsExpression') return namesIn(argument.expression)
  if (argument.type !== 'ArrayExpression') return isText(argument) ? [argument] : []
  return argument.elements.flatMap((row) => {
    const cell = row?.type === 'ArrayExpression' ? row.elements[0] : null
    return cell !== null && cell !== undefined && isText(cell) ? [cell] : []
  })
}

function isText({ type }: Node): boolean {
  return type === 'Literal' || type === 'TemplateLiteral'
}
