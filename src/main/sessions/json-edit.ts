import { createScanner, findNodeAtLocation, type Node, parseTree } from 'jsonc-parser'

/*
 * Edits JSON text (comments and trailing commas allowed) without touching a byte except what is added or removed: a formatter
 * would rewrite the text around it.
 */

export const READ_AS = { allowTrailingComma: true }

type Path = readonly (string | number)[]

function nodeAt(text: string, path: Path): Node | undefined {
  const root = parseTree(text, [], READ_AS)
  return root === undefined ? undefined : findNodeAtLocation(root, [...path])
}

/** Adds a property to the object at `path`, after its last one. Returns the text unchanged if there is no such object. */
export function addProperty(text: string, path: Path, name: string, value: unknown): string {
  const object = nodeAt(text, path)
  if (object?.type !== 'object') return text
  return addTo(text, object, `${JSON.stringify(name)}: `, value)
}

/** Adds an element to the list at `path`, after its last one. */
export function addElement(text: string, path: Path, value: unknown): string {
  const list = nodeAt(text, path)
  return list?.type === 'array' ? addTo(text, list, '', value) : text
}

/** Removes the property or element at `path`, with the comma that is no longer needed. Comments next to it stay. */
export function removeAt(text: string, path: Path): string {
  const found = nodeAt(text, path)
  const node = found?.parent?.type === 'property' ? found.parent : found
  const siblings = node?.parent?.children ?? []
  const at = node === undefined ? -1 : siblings.indexOf(node)
  if (node === undefined || at < 0) return text
  const [before, after] = [siblings[at - 1], siblings[at + 1]]
  if (before !== undefined) return cutGap(text, [endOf(before), node.offset], [node.offset, endOf(node)])
  if (after !== undefined) return cutGap(text, [endOf(node), after.offset], [node.offset, endOf(node)])
  const { parent } = node
  if (parent === undefined) return text
  const [start, end] = [parent.offset + 1, endOf(parent) - 1]
  const rest = text.slice(start, node.offset) + text.slice(endOf(node), end)
  return text.slice(0, start) + (isBlank(rest) ? '' : withoutComma(rest)) + text.slice(end)
}

/** Whether the list or object at `path` is empty, without even a comment. */
export function isBlankAt(text: string, path: Path): boolean {
  const node = nodeAt(text, path)
  if (node?.type !== 'array' && node?.type !== 'object') return false
  return isBlank(text.slice(node.offset + 1, endOf(node) - 1))
}

type Span = readonly [number, number]

/** Removes a node and the gap between it and its neighbor, or only its comma if there is a comment in the gap. */
function cutGap(text: string, gap: Span, node: Span): string {
  const between = text.slice(...gap)
  const kept = isBlank(between) ? '' : withoutComma(between)
  const [first, last] = gap[0] < node[0] ? [gap[0], node[1]] : [node[0], gap[1]]
  return text.slice(0, first) + kept + text.slice(last)
}

function isBlank(text: string): boolean {
  return /^[\s,]*$/.test(text)
}

/** Removes the first comma outside comments. */
function withoutComma(text: string): string {
  const at = commaIn(text)
  return at === null ? text : text.slice(0, at) + text.slice(at + 1)
}

/** Returns the offset of the first comma outside comments, or `null`. */
function commaIn(text: string): number | null {
  const scanner = createScanner(text, true)
  do scanner.scan()
  while (scanner.getTokenLength() > 0 && text[scanner.getTokenOffset()] !== ',')
  return scanner.getTokenLength() > 0 ? scanner.getTokenOffset() : null
}

function addTo(text: string, parent: Node, lead: string, value: unknown): string {
  const { eol, unit } = styleOf(text)
  const last = parent.children?.at(-1)
  const outer = indentAt(text, parent.offset)
  if (last === undefined) {
    const inner = `${eol}${outer}${unit}${lead}${written(value, outer + unit, { eol, unit })}${eol}${outer}`
    return text.slice(0, parent.offset + 1) + inner + text.slice(endOf(parent) - 1)
  }
  const isOneLine = !text.slice(parent.offset, last.offset).includes('\n')
  const indent = isOneLine ? '' : indentAt(text, last.offset)
  const body = isOneLine ? JSON.stringify(value) : written(value, indent, { eol, unit })
  const added = `${isOneLine ? ' ' : eol + indent}${lead}${body}`
  const comma = commaIn(text.slice(endOf(last), endOf(parent)))
  if (comma === null) return insert(text, endOf(last), `,${added}`)
  return insert(text, endOf(last) + comma + 1, `${added},`)
}

interface Style {
  readonly eol: string
  readonly unit: string
}

/** Returns the line ending and indentation of the text. */
function styleOf(text: string): Style {
  return { eol: text.includes('\r\n') ? '\r\n' : '\n', unit: /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ' }
}

function written(value: unknown, indent: string, { eol, unit }: Style): string {
  return JSON.stringify(value, null, unit).split('\n').join(`${eol}${indent}`)
}

/** Returns the white space at the start of the line at an offset. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? ''
}

function endOf({ offset, length }: Node): number {
  return offset + length
}

function insert(text: string, at: number, added: string): string {
  return text.slice(0, at) + added + text.slice(at)
}
