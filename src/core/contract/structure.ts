import { type BlockContext, type Line, parser } from '@lezer/markdown'
import { bodyStart } from './source-lines.ts'

/** A heading that belongs to no list and no quote. Offsets are those of the whole text. */
interface Heading {
  readonly from: number
  readonly to: number
  readonly level: 1 | 2
}

/** The checkbox of a list item: `from` at its `[`, `to` behind its `]`. */
export interface Checkbox {
  readonly from: number
  readonly to: number
  readonly checked: boolean
}

/** A list item at any depth. Items come in the order of the text, so an item that holds others comes before them. */
export interface ListItem {
  readonly from: number
  readonly to: number
  /** Its marker is a number and not one of `-`, `*`, `+`. */
  readonly ordered: boolean
  readonly checkbox: Checkbox | null
  /** The text it begins with, checkbox included; `null` where it is empty or begins with a list or quote. */
  readonly paragraph: { readonly from: number; readonly to: number } | null
}

/** The blocks of a contract that mean something. */
export interface Structure {
  /** The section under the first `## Tasks`: its heading, and where it ends. */
  readonly section: { readonly heading: Heading; readonly to: number } | null
  readonly items: readonly ListItem[]
}

/**
 * No contract that people write comes near this length in UTF-16 code units; what lies behind it is not read, because
 * the blocks of a hostile text take some hundred times its size in memory.
 */
export const MAX_CONTRACT_LENGTH = 2 * 1024 * 1024
/** Deeper blocks are text: no contract nests so far, and each line costs time for each block it is in. */
const MAX_DEPTH = 64
/** A longer heading is not looked at for its text. */
const MAX_HEADING_LENGTH = 1_000

/**
 * Plain CommonMark blocks. Inline markup is read where it is needed only, and GFM is left out on purpose: the pipes of a
 * task line would make a table of it; its checkboxes are recognised here.
 */
const blockParser = parser.configure({
  remove: ['Escape', 'Entity', 'InlineCode', 'HTMLTag', 'Emphasis', 'HardBreak', 'Link', 'Image'],
  parseBlock: [{ name: 'DepthLimit', before: 'IndentedCode', parse: endNesting }],
})

function endNesting(context: BlockContext, line: Line): boolean {
  if (context.depth < MAX_DEPTH || line.pos >= line.text.length) return false
  const from = context.lineStart
  context.addElement(context.elt('Paragraph', from + line.pos, from + line.text.length))
  context.nextLine()
  return true
}

/** The Tasks section and all list items in the first `MAX_CONTRACT_LENGTH` of a Markdown text. Throws for no text. */
export function readStructure(whole: string): Structure {
  const text = whole.slice(0, MAX_CONTRACT_LENGTH)
  const shift = bodyStart(text)
  // The parser knows only "\n" as a line break; the replacements are of the same length, so that offsets stay.
  const body = text.slice(shift).replace(/\r\n/g, ' \n').replace(/\r/g, '\n')
  const headings: Heading[] = []
  const items: MutableItem[] = []
  let containerTo = 0
  let itemAtMark: MutableItem | null = null
  const cursor = blockParser.parse(body).cursor()
  do {
    const { name, from, to } = cursor
    if (name === 'ListMark' || name === 'QuoteMark') continue
    const level = headingLevel(name)
    if (itemAtMark !== null && from < itemAtMark.to - shift)
      startItem(itemAtMark, name, from, to, shift, body)
    itemAtMark = null
    if (level !== null && from >= containerTo) headings.push({ from: from + shift, to: to + shift, level })
    else if (name === 'BulletList' || name === 'OrderedList' || name === 'Blockquote') {
      containerTo = Math.max(containerTo, to)
    } else if (name === 'ListItem') {
      const ordered = !'-*+'.includes(body[from] ?? '')
      itemAtMark = { from: from + shift, to: to + shift, ordered, checkbox: null, paragraph: null }
      items.push(itemAtMark)
    }
  } while (cursor.next())
  return { section: findSection(headings, text), items }
}

type MutableItem = { -readonly [Key in keyof ListItem]: ListItem[Key] }

/** Takes up the block that a list item begins with. */
function startItem(
  item: MutableItem,
  name: string,
  from: number,
  to: number,
  shift: number,
  body: string,
): void {
  if (name === 'BulletList' || name === 'OrderedList' || name === 'Blockquote') return
  item.paragraph = { from: from + shift, to: to + shift }
  // Indented code is text, and what begins below its marker is no task line.
  if (name === 'CodeBlock' || body.slice(item.from - shift, from).includes('\n')) return
  const box = /^\[([ xX])\](?![^ \t\n])/.exec(body.slice(from, from + 4))
  if (box !== null) item.checkbox = { from: from + shift, to: from + shift + 3, checked: box[1] !== ' ' }
}

function headingLevel(name: string): 1 | 2 | null {
  if (name === 'ATXHeading1' || name === 'SetextHeading1') return 1
  return name === 'ATXHeading2' || name === 'SetextHeading2' ? 2 : null
}

function findSection(headings: readonly Heading[], text: string): Structure['section'] {
  const index = headings.findIndex((heading) => heading.level === 2 && isTasksHeading(heading, text))
  const heading = headings[index]
  return heading === undefined ? null : { heading, to: headings[index + 1]?.from ?? text.length }
}

function isTasksHeading(heading: Heading, text: string): boolean {
  if (heading.to - heading.from > MAX_HEADING_LENGTH) return false
  return plainText(text.slice(heading.from, heading.to).replace(/\r/g, '\n')).trim().toLowerCase() === 'tasks'
}

/** Nodes whose text is markup and not read aloud. */
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
