import { GFM, parser } from '@lezer/markdown'
import { createElement, Fragment, type ReactNode } from 'react'
import { addressOfLink, anchorOf } from './anchors.ts'
import styles from './help.module.css'

const markdown = parser.configure(GFM)

type SyntaxNode = ReturnType<typeof markdown.parse>['topNode']

/** The document being rendered. */
interface Page {
  readonly id: string
  readonly text: string
}

/** Renders a Markdown document as elements; skips node types that are not listed below, such as HTML blocks. */
export function Markdown({ id, text }: Page) {
  return <div className={styles.text}>{blocks(markdown.parse(text).topNode, { id, text })}</div>
}

const children = (node: SyntaxNode): SyntaxNode[] => {
  const found: SyntaxNode[] = []
  for (let child = node.firstChild; child !== null; child = child.nextSibling) found.push(child)
  return found
}

const textOf = ({ from, to }: Pick<SyntaxNode, 'from' | 'to'>, { text }: Page) => text.slice(from, to)

function blocks(node: SyntaxNode, page: Page): ReactNode[] {
  return children(node).map((child) => <Fragment key={child.from}>{block(child, page)}</Fragment>)
}

function block(node: SyntaxNode, page: Page): ReactNode {
  const heading = /^ATXHeading(\d)$/u.exec(node.name)?.[1]
  if (heading !== undefined) {
    const id = anchorOf(textOf(node, page).replace(/^#+\s*/u, ''))
    return createElement(`h${heading}`, { id: `help-${id}`, tabIndex: -1 }, inline(node, page))
  }
  switch (node.name) {
    case 'Paragraph':
      return <p>{inline(node, page)}</p>
    case 'BulletList':
      return <ul>{blocks(node, page)}</ul>
    case 'OrderedList':
      return <ol>{blocks(node, page)}</ol>
    case 'ListItem':
      return <li>{blocks(node, page)}</li>
    case 'Blockquote':
      return <blockquote>{blocks(node, page)}</blockquote>
    case 'FencedCode':
    case 'CodeBlock': {
      const lines = children(node).filter(({ name }) => name === 'CodeText')
      const code = lines.map((line) => textOf(line, page)).join('')
      return (
        // Focusable, so that long lines can be scrolled by keyboard.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        <pre tabIndex={0}>
          <code>{code}</code>
        </pre>
      )
    }
    case 'Table':
      return table(node, page)
    default:
      return null
  }
}

function table(node: SyntaxNode, page: Page): ReactNode {
  const rows = children(node).filter(({ name }) => name === 'TableHeader' || name === 'TableRow')
  const [head, ...body] = rows.map((row) => ({ key: row.from, cells: cellsOf(row, page) }))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls if it is wider than the page
    <div className={styles.table} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head?.cells.map((cell, index) =>
              // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its column
              cell.length === 0 ? <td key={index} /> : <th key={index}>{cell}</th>,
            )}
          </tr>
        </thead>
        <tbody>
          {body.map(({ key, cells }) => (
            <tr key={key}>
              {cells.map((cell, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its column
                <td key={index}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Splits a row at its bars, because the parser omits empty cells. */
function cellsOf(row: SyntaxNode, page: Page): ReactNode[][] {
  const cells: ReactNode[][] = []
  let cell: ReactNode[] | null = null
  for (const child of children(row)) {
    if (child.name === 'TableDelimiter') {
      if (cell !== null) cells.push(cell)
      cell = []
    } else if (child.name === 'TableCell') cell = inline(child, page)
  }
  return cells
}

/** Returns the plain text between marks unchanged, and the marked parts as elements. */
function inline(node: SyntaxNode, page: Page): ReactNode[] {
  const parts: ReactNode[] = []
  let at = node.from
  const plainUntil = (to: number): void => {
    if (to > at) parts.push(page.text.slice(at, to))
  }
  for (const child of children(node)) {
    plainUntil(child.from)
    at = child.to
    if (child.name === 'HeaderMark') at += /^\s*/u.exec(page.text.slice(at))?.[0].length ?? 0
    else if (textOf(child, page) === '<kbd>') {
      const end = page.text.indexOf('</kbd>', at)
      parts.push(<kbd key={child.from}>{page.text.slice(at, end)}</kbd>)
      at = end
    } else parts.push(<Fragment key={child.from}>{mark(child, page)}</Fragment>)
  }
  plainUntil(node.to)
  return parts
}

function mark(node: SyntaxNode, page: Page): ReactNode {
  const text = textOf(node, page)
  switch (node.name) {
    case 'InlineCode':
      return <code>{text.replace(/^`+ ?| ?`+$/gu, '').replaceAll('\\|', '|')}</code>
    case 'StrongEmphasis':
      return <strong>{inline(node, page)}</strong>
    case 'Emphasis':
      return <em>{inline(node, page)}</em>
    case 'Link': {
      const url = node.getChild('URL')
      const address = url === null ? null : addressOfLink(textOf(url, page), page.id)
      return address === null ? linkWords(node, page) : <a href={address}>{linkWords(node, page)}</a>
    }
    case 'Escape':
      return text.slice(1)
    case 'HTMLTag': {
      const id = /^<a id="([\w-]+)">$/u.exec(text)?.[1]
      if (id !== undefined) return <span id={`help-${id}`} tabIndex={-1} />
      return text === '<br>' ? <br /> : null
    }
    case 'EmphasisMark':
    case 'LinkMark':
    case 'Image':
    case 'Comment':
      return null
    default:
      return text
  }
}

/** Returns the text of a link, without its target. */
function linkWords(node: SyntaxNode, page: Page): ReactNode[] {
  const [open, close] = node.getChildren('LinkMark')
  const isWord = ({ from, to }: SyntaxNode) => from >= (open?.to ?? 0) && to <= (close?.from ?? 0)
  const parts: ReactNode[] = []
  let at = open?.to ?? node.from
  for (const child of children(node).filter(isWord)) {
    parts.push(page.text.slice(at, child.from))
    parts.push(<Fragment key={child.from}>{mark(child, page)}</Fragment>)
    at = child.to
  }
  parts.push(page.text.slice(at, close?.from ?? node.to))
  return parts
}
