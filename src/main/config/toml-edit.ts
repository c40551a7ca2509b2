import { isDeepStrictEqual } from 'node:util'
import { type AST, parseTOML } from 'toml-eslint-parser'
import { readToml, type TomlPath, type TomlValue } from '../../core/text/toml-document.ts'
import { formatTomlKey, formatTomlValue, type TomlInput } from '../../core/text/toml-format.ts'

/** One change of a file: a setting's new value, or `null` to remove the setting. */
export interface TomlEdit {
  readonly path: readonly string[]
  readonly value: TomlInput | null
}

export type TomlEditResult =
  | { readonly ok: true; readonly text: string }
  /** Why the text cannot be edited this way, and a fix; the text stays unchanged. */
  | { readonly ok: false; readonly reason: string }

/**
 * Returns the text with the edits made in order. Every byte outside the edited values stays: comments, order, white space, line
 * endings, a byte order mark. Reading the result shows exactly the edits; if that is impossible (invalid TOML, a path through
 * something that is not a table), nothing is edited. Never throws.
 */
export function editToml(text: string, edits: readonly TomlEdit[]): TomlEditResult {
  let edited = text
  for (const edit of edits) {
    const result =
      edit.value === null ? removeTomlValue(edited, edit.path) : setTomlValue(edited, edit.path, edit.value)
    if (!result.ok) return result
    edited = result.text
  }
  return { ok: true, text: edited }
}

/** Like `editToml`, but sets one value. An equal value in another notation stays as written. */
export function setTomlValue(text: string, path: readonly string[], value: TomlInput): TomlEditResult {
  return editChecked(text, path, value, (document) => {
    const written = document.entries.find((entry) => isDeepStrictEqual(entry.path, path))
    if (written === undefined) return insertions(document, path, value)
    const [from, to] = written.node.value.range
    const format = formatTomlValue(value, document.text.slice(from, to), document.lineBreak)
    return [{ from, to, text: format }]
  })
}

/**
 * Like `editToml`, but removes one setting, or a table with everything under its header. A comment after a setting stays, and so
 * does its table, even if it is empty.
 */
export function removeTomlValue(text: string, path: readonly string[]): TomlEditResult {
  return editChecked(text, path, null, (document) => {
    const written = document.entries.find((entry) => isDeepStrictEqual(entry.path, path))
    if (written === undefined) return removedTable(document, path)
    return [
      written.inline === null
        ? removedLine(document, written.node)
        : removedMember(written.inline, written.node),
    ]
  })
}

/** A replacement for the text between two offsets. */
interface Splice {
  readonly from: number
  readonly to: number
  readonly text: string
}

interface Entry {
  readonly path: TomlPath
  /** Path of the table under whose header it is. */
  readonly base: TomlPath
  readonly node: AST.TOMLKeyValue
  /** The inline table that contains it, if any. */
  readonly inline: AST.TOMLInlineTable | null
}

interface EditedDocument {
  readonly text: string
  readonly lineBreak: string
  readonly entries: readonly Entry[]
  readonly tables: readonly AST.TOMLTable[]
}

/** Makes the edit, and checks that reading the result shows it and nothing else, so that a bug of ours cannot damage a file. */
function editChecked(
  text: string,
  path: readonly string[],
  value: TomlInput | null,
  edit: (document: EditedDocument) => readonly Splice[] | string,
): TomlEditResult {
  const bom = text.startsWith('\uFEFF') ? '\uFEFF' : ''
  const body = text.slice(bom.length)
  const before = readToml(body)
  if (!before.ok) {
    const { line, column, message } = before.problem
    return { ok: false, reason: `Line ${line}, column ${column}: ${message} Correct it in the file first.` }
  }
  const wanted = withValue(before.document.root, path, value)
  if (wanted === null) return refuse(path, 'part of its name is something other than a table in the file')
  if (isDeepStrictEqual(wanted, plain(before.document.root))) return { ok: true, text }
  const splices = attempted(() => edit(openDocument(body)))
  if (typeof splices === 'string') return refuse(path, splices)
  for (const { from, to, text: added } of splices) {
    const edited = body.slice(0, from) + added + body.slice(to)
    const after = readToml(edited)
    if (after.ok && showsSame(plain(after.document.root), wanted, value === null)) {
      return { ok: true, text: bom + edited }
    }
  }
  return refuse(path, "the file's structure leaves no place for it")
}

/** Makes an edit. Returns the reason if TOML cannot express the value, like for any other impossible edit. */
function attempted<T>(edit: () => T | string): T | string {
  try {
    return edit()
  } catch (error) {
    if (error instanceof RangeError) return error.message
    throw error
  }
}

function refuse(path: readonly string[], why: string): TomlEditResult {
  return {
    ok: false,
    reason: `${path.join('.')} can't be changed in the form: ${why}. Edit the file itself.`,
  }
}

function openDocument(text: string): EditedDocument {
  const [{ body }] = parseTOML(text, { tomlVersion: '1.0' }).body
  const entries: Entry[] = []
  const collect = (
    node: AST.TOMLKeyValue,
    base: TomlPath,
    prefix: TomlPath,
    inline: Entry['inline'],
  ): void => {
    const path = [...prefix, ...node.key.keys.map((key) => (key.type === 'TOMLBare' ? key.name : key.value))]
    entries.push({ path, base, node, inline })
    if (node.value.type !== 'TOMLInlineTable') return
    for (const member of node.value.body) collect(member, base, path, node.value)
  }
  const tables: AST.TOMLTable[] = []
  for (const node of body) {
    if (node.type === 'TOMLKeyValue') collect(node, [], [], null)
    else {
      tables.push(node)
      for (const entry of node.body) collect(entry, node.resolvedKey, node.resolvedKey, null)
    }
  }
  return { text, lineBreak: /\r?\n/.exec(text)?.[0] ?? '\n', entries, tables }
}

/**
 * Returns places for a new setting, best first: in its inline table, under its header, beside its dotted siblings, or in a new
 * section at the end. Which of them TOML allows depends on how its tables were defined; the caller tries them.
 */
function insertions(document: EditedDocument, path: readonly string[], value: TomlInput): Splice[] | string {
  const { entries, tables, text, lineBreak } = document
  const line = (key: readonly string[]) =>
    `${key.map(formatTomlKey).join('.')} = ${formatTomlValue(value, '', lineBreak)}`
  const holder = entries.findLast((entry) => startsWith(path, entry.path))
  if (holder !== undefined) {
    return holder.node.value.type === 'TOMLInlineTable'
      ? [newMember(holder.node.value, text, line(path.slice(holder.path.length)))]
      : `${holder.path.join('.')} is not a table`
  }
  const parent = path.slice(0, -1)
  if (parent.length === 0) return [newRootLine(document, line(path))]
  const places: Splice[] = []
  const table = tables.find(
    ({ kind, resolvedKey }) => kind === 'standard' && isDeepStrictEqual(resolvedKey, parent),
  )
  if (table !== undefined) {
    places.push(newLine(document, table.body.at(-1) ?? table.key, line(path.slice(-1)), table))
  }
  const sibling = entries.findLast(
    (entry) =>
      entry.inline === null &&
      startsWith(path, entry.base) &&
      sharedLength(entry.path, parent) > entry.base.length,
  )
  if (sibling !== undefined) {
    places.push(newLine(document, sibling.node, line(path.slice(sibling.base.length)), null))
  }
  return [...places, newSection(document, parent, line(path.slice(-1)))]
}

function newSection({ text, lineBreak }: EditedDocument, parent: readonly string[], line: string): Splice {
  const gap = text === '' ? '' : text.endsWith('\n') ? lineBreak : lineBreak + lineBreak
  const header = `[${parent.map(formatTomlKey).join('.')}]`
  const section = `${gap}${header}${lineBreak}${line}${lineBreak}`
  return { from: text.length, to: text.length, text: section }
}

/** Adds a line after the line on which `after` ends, with the same indentation. */
function newLine(
  { text, lineBreak }: EditedDocument,
  after: AST.TOMLNode,
  line: string,
  header: AST.TOMLTable | null,
): Splice {
  const at = endOfLine(text, after.range[1])
  const indented = header !== null && header.key === after ? header.range[0] : after.range[0]
  const indentation = /[ \t]*$/.exec(text.slice(0, indented))?.[0] ?? ''
  return { from: at, to: at, text: `${lineBreak}${indentation}${line}` }
}

/** Adds a line before every section; after one, the section would contain it. */
function newRootLine(document: EditedDocument, line: string): Splice {
  const last = document.entries.findLast((entry) => entry.base.length === 0 && entry.inline === null)
  if (last !== undefined) return newLine(document, last.node, line, null)
  return { from: 0, to: 0, text: line + document.lineBreak }
}

function newMember(table: AST.TOMLInlineTable, text: string, member: string): Splice {
  const last = table.body.at(-1)
  if (last !== undefined) return { from: last.range[1], to: last.range[1], text: `, ${member}` }
  const [from, to] = table.range
  const inside = text.slice(from + 1, to - 1)
  return { from: from + 1, to: to - 1, text: inside === '' ? ` ${member} ` : ` ${member}${inside}` }
}

/** Removes the setting's line, but keeps a comment on it. */
function removedLine({ text }: EditedDocument, node: AST.TOMLKeyValue): Splice {
  const [from, to] = node.range
  const end = endOfLine(text, to)
  if (text.slice(to, end).trim() !== '') {
    return { from, to: to + (/^[ \t]*/.exec(text.slice(to, end))?.[0].length ?? 0), text: '' }
  }
  const start = from - (/[ \t]*$/.exec(text.slice(0, from))?.[0].length ?? 0)
  const behind = /^\r?\n/.exec(text.slice(end))?.[0].length ?? 0
  // Removing the last line of a file without a final line break also removes the break before it.
  const before = behind === 0 ? (/\r?\n$/.exec(text.slice(0, start))?.[0].length ?? 0) : 0
  return { from: start - before, to: end + behind, text: '' }
}

/** Removes the table from its header to the line before the next section. What is above the header belongs to another section. */
function removedTable({ tables, text }: EditedDocument, path: readonly string[]): Splice[] | string {
  const scattered = 'it is a table that is written in more than one place. Remove it in the file itself'
  const isOf = ({ resolvedKey }: AST.TOMLTable): boolean => startsWith(resolvedKey, path)
  const first = tables.findIndex(isOf)
  const last = tables.findLastIndex(isOf)
  const [header, end] = [tables[first], tables[last]]
  if (header === undefined || end === undefined) return scattered
  if (!tables.slice(first, last + 1).every(isOf)) return scattered
  const from = text.lastIndexOf('\n', header.range[0] - 1) + 1
  const line = endOfLine(text, (end.body.at(-1) ?? end.key).range[1])
  const gap = /^(?:[ \t]*\r?\n)*/.exec(text.slice(line))?.[0].length ?? 0
  return [{ from, to: line + gap, text: '' }]
}

function removedMember(table: AST.TOMLInlineTable, node: AST.TOMLKeyValue): Splice {
  const index = table.body.indexOf(node)
  const next = table.body[index + 1]
  if (next !== undefined) return { from: node.range[0], to: next.range[0], text: '' }
  const previous = table.body[index - 1]
  return { from: previous?.range[1] ?? node.range[0], to: node.range[1], text: '' }
}

function endOfLine(text: string, from: number): number {
  const at = text.indexOf('\n', from)
  if (at === -1) return text.length
  return text[at - 1] === '\r' && at > from ? at - 1 : at
}

function startsWith(path: TomlPath, prefix: TomlPath): boolean {
  return prefix.length <= path.length && prefix.every((part, index) => part === path[index])
}

function sharedLength(left: TomlPath, right: TomlPath): number {
  const different = left.findIndex((part, index) => part !== right[index])
  return different === -1 ? left.length : different
}

/**
 * Returns whether the file reads as wanted. Removing a dotted key also removes a table that only it had created, so an empty table counts
 * as none.
 */
function showsSame(read: Plain, wanted: Plain, removing: boolean): boolean {
  return isDeepStrictEqual(read, wanted) || (removing && isDeepStrictEqual(pruned(read), pruned(wanted)))
}

function pruned(value: Plain): Plain {
  if (!(value instanceof Map)) return value
  const members = [...value].map(([key, each]) => [key, pruned(each)] as const)
  return new Map(members.filter(([, each]) => !(each instanceof Map && each.size === 0)))
}

type Plain = string | number | boolean | Date | Plain[] | Map<string, Plain>

/** Converts for comparison: maps instead of objects, so that no key is special. */
function plain(value: TomlValue | TomlInput): Plain {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value instanceof Date) return value
  return new Map(Object.entries(value).map(([key, each]) => [key, plain(each)]))
}

/** Returns what the file must read as after the edit; `null` if the path goes through something that is not a table. */
function withValue(root: TomlValue, path: readonly string[], value: TomlInput | null): Plain | null {
  const result = plain(root)
  let table = result
  for (const [index, name] of path.entries()) {
    if (!(table instanceof Map)) return null
    if (index === path.length - 1) {
      if (value !== null) table.set(name, plain(value))
      else table.delete(name)
      break
    }
    const next: Plain | undefined = table.get(name)
    if (next === undefined && value === null) break
    if (next === undefined) table.set(name, new Map())
    table = next ?? (table.get(name) as Plain)
  }
  return result
}
