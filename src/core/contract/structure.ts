import { type BlockContext, type LeafBlock, type Line, parser } from '@lezer/markdown'
import { bodyStart } from './source-lines.ts'

/** A heading outside lists and quotes. Offsets are those of the whole text. */
interface Heading {
  readonly from: number
  readonly to: number
  readonly level: 1 | 2
}

/** The checkbox of a list item: `from` is at its `[`, `to` after its `]`. */
export interface Checkbox {
  readonly from: number
  readonly to: number
  readonly checked: boolean
}

/** A list item at any depth. Items come in text order, so an item comes before those it contains. */
export interface ListItem {
  readonly from: number
  readonly to: number
  /** True if its marker is a number, not `-`, `*` or `+`. */
  readonly ordered: boolean
  /** True if it is inside a quote, so that it is only cited. */
  readonly isQuoted: boolean
  readonly checkbox: Checkbox | null
  /** The text at its beginning, checkbox included; `null` if it is empty or begins with a list or quote. */
  readonly paragraph: { readonly from: number; readonly to: number } | null
}

/** A paragraph at any depth, verbatim, including the quote marks before its lines. */
export interface Paragraph {
  readonly from: number
  readonly to: number
  /** True if a list item begins with it. */
  readonly beginsItem: boolean
}

/** The blocks of a contract that carry meaning. */
export interface Structure {
  /** The section under the first `## Tasks`: its heading, and where it ends. */
  readonly section: { readonly heading: Heading; readonly to: number } | null
  /** If there is no section, the first heading that was probably meant as one (`## Tasks:`, `## Daily tasks`). */
  readonly nearHeading: { readonly from: number; readonly to: number } | null
  readonly items: readonly ListItem[]
  /** The paragraphs that contain a bracket, in text order. */
  readonly paragraphs: readonly Paragraph[]
}

/**
 * In UTF-16 code units. Real contracts are far shorter. Text beyond it is not read, because the blocks of a hostile text can take a hundred
 * times its size in memory.
 */
export const MAX_CONTRACT_LENGTH = 1024 * 1024
/** Deeper blocks are treated as text. Real contracts don't nest this deep, and each line costs time for every block that contains it. */
const MAX_DEPTH = 64
/** Longer texts that may be a link definition are split, because the parser rereads them from their start at every line. */
const MAX_REFERENCE_LENGTH = 4_000
/** The text of a longer heading is not examined. */
const MAX_HEADING_LENGTH = 1_000

/**
 * Parses plain CommonMark blocks. Inline markup is parsed only where it is needed. GFM is left out on purpose, because the pipes of a task
 * line would make it a table. Checkboxes are recognized here.
 */
const blockParser = parser.configure({
  remove: ['Escape', 'Entity', 'InlineCode', 'HTMLTag', 'Emphasis', 'HardBreak', 'Link', 'Image'],
  // Inline markup would cost time at every character and isn't needed here, so skip each text at once.
  parseInline: [{ name: 'Nothing', before: 'Escape', parse: (context) => context.end }],
  parseBlock: [{ name: 'Limits', before: 'IndentedCode', parse: endNesting, endLeaf: endReference }],
})

function endNesting(context: BlockContext, line: Line): boolean {
  if (context.depth < MAX_DEPTH || line.pos >= line.text.length) return false
  const from = context.lineStart
  context.addElement(context.elt('Paragraph', from + line.pos, from + line.text.length))
  context.nextLine()
  return true
}

function endReference(_context: BlockContext, _line: Line, leaf: LeafBlock): boolean {
  // Every text has a parser for headings; a second parser means that it may be a link definition.
  return leaf.parsers.length > 1 && leaf.content.length > MAX_REFERENCE_LENGTH
}

/** Returns the Tasks section and all list items in the first `MAX_CONTRACT_LENGTH` of a Markdown text. Never throws. */
export function readStructure(text: string): Structure {
  // The parser only knows "\n" as a line break. The replacements have the same length, so that offsets stay correct.
  const source = text.slice(0, MAX_CONTRACT_LENGTH).replace(/\r\n/g, ' \n').replace(/\r/g, '\n')
  const blocks = new BlockReader(source)
  const shift = bodyStart(source)
  const cursor = blockParser.parse(source.slice(shift)).cursor()
  do blocks.enter(cursor.name, cursor.from + shift, cursor.to + shift)
  while (cursor.next())
  const { headings, items, paragraphs } = blocks
  const section = findSection(headings, source)
  return {
    section,
    nearHeading: section === null ? findNearHeading(headings, source) : null,
    items,
    paragraphs,
  }
}

type OpenItem = { -readonly [Key in keyof ListItem]: ListItem[Key] }

/** Visits the nodes of a syntax tree in text order, parents first. */
class BlockReader {
  readonly headings: Heading[] = []
  readonly items: ListItem[] = []
  readonly paragraphs: Paragraph[] = []
  readonly #source: string
  /** Where the list or quote of the last node ends. */
  #containerTo = 0
  /** Where the outermost quote of the last node ends. */
  #quoteTo = 0
  /** The item whose marker was visited just before, if any: the next node is what it begins with. */
  #open: OpenItem | null = null

  constructor(source: string) {
    this.#source = source
  }

  enter(name: string, from: number, to: number): void {
    if (name === 'ListMark') this.#placeMarker(from)
    if (name === 'ListMark' || name === 'QuoteMark') return
    const item = this.#open
    this.#open = null
    const beginsItem = item !== null && from < item.to
    if (beginsItem) this.#beginItem(item, name, from, to)
    if (name === 'Blockquote') this.#quoteTo = Math.max(this.#quoteTo, to)
    const isQuoted = from < this.#quoteTo
    if (name === 'Paragraph' && this.#source.slice(from, to).includes('['))
      this.paragraphs.push({ from, to, beginsItem })
    const level = headingLevel(name)
    if (level !== null && from >= this.#containerTo) this.headings.push({ from, to, level })
    if (CONTAINERS.has(name)) this.#containerTo = Math.max(this.#containerTo, to)
    if (name !== 'ListItem') return
    this.#open = { from, to, ordered: false, isQuoted, checkbox: null, paragraph: null }
    this.items.push(this.#open)
  }

  /** Moves an item's start to its marker, because its node begins with the indentation. */
  #placeMarker(from: number): void {
    if (this.#open === null) return
    this.#open.from = from
    this.#open.ordered = !'-*+'.includes(this.#source.charAt(from))
  }

  #beginItem(item: OpenItem, name: string, from: number, to: number): void {
    if (CONTAINERS.has(name)) return
    item.paragraph = { from, to }
    // Indented code is text, and content on a line below the marker is not a task line.
    if (name === 'CodeBlock' || this.#source.slice(item.from, from).includes('\n')) return
    const box = /^\[([ xX])\](?![^ \t\n])/.exec(this.#source.slice(from, from + 4))
    if (box !== null) item.checkbox = { from, to: from + 3, checked: box[1] !== ' ' }
  }
}

const CONTAINERS = new Set(['BulletList', 'OrderedList', 'Blockquote'])

function headingLevel(name: string): 1 | 2 | null {
  if (name === 'ATXHeading1' || name === 'SetextHeading1') return 1
  return name === 'ATXHeading2' || name === 'SetextHeading2' ? 2 : null
}

function findSection(headings: readonly Heading[], source: string): Structure['section'] {
  const index = headings.findIndex((heading) => heading.level === 2 && isTasksHeading(heading, source))
  const heading = headings[index]
  return heading === undefined ? null : { heading, to: headings[index + 1]?.from ?? source.length }
}

function isTasksHeading(heading: Heading, source: string): boolean {
  if (heading.to - heading.from > MAX_HEADING_LENGTH) return false
  return plainText(source.slice(heading.from, heading.to)).trim().toLowerCase() === 'tasks'
}

/** Headings that people write instead of "Tasks". */
const NEAR_HEADING =
  /^(?:(?:my|our|the|open|current|daily|weekly|today['’]?s|agent|heartbeat|next|all)\s+)?(?:tasks?(?:\s+list)?|to-?dos?)$/i

function findNearHeading(headings: readonly Heading[], source: string): Heading | null {
  const near = headings.find(({ from, to }) => {
    if (to - from > MAX_HEADING_LENGTH) return false
    const words = plainText(source.slice(from, to))
      .replace(/[^\p{L}\p{N}'’\s-]/gu, ' ')
      .trim()
    return NEAR_HEADING.test(words)
  })
  return near ?? null
}

/** Nodes whose text is markup, not content. */
const MARKUP = /Mark$|^(URL|LinkTitle|LinkLabel|HTMLTag|Comment|ProcessingInstruction)$/

function plainText(markdown: string): string {
  let plain = ''
  let at = 0
  parser.parse(markdown).iterate({
    enter: ({ name, from, to }) => {
      if (!MARKUP.test(name)) return
      plain += markdown.slice(at, from)
      at = Math.max(at, to)
    },
  })
  return plain + markdown.slice(at)
}
