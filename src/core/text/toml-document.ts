import { type AST, ParseError, parseTOML } from 'toml-eslint-parser'

export type TomlPath = readonly (string | number)[]

/** A value of a TOML file. Tables have no prototype. */
export type TomlValue = string | number | boolean | Date | TomlValue[] | TomlTable
export interface TomlTable {
  [key: string]: TomlValue
}

/** A position in the file, from 1, in UTF-16 code units. */
interface TomlPlace {
  readonly line: number
  readonly column: number
}

interface TomlProblem extends TomlPlace {
  readonly message: string
}

export interface TomlDocument {
  readonly root: TomlTable
  /** Returns the position of the value at `path`, or of the nearest table around it if the file has none. */
  valuePlace(path: TomlPath): TomlPlace
  /** Returns the position of the last key of `path`. */
  keyPlace(path: TomlPath): TomlPlace
}

const START: TomlPlace = { line: 1, column: 1 }

/**
 * Limit of a path's parts, far beyond any real file. Each value is stored by its whole path, and 4,000 dots in one key took
 * seconds.
 */
const MAX_DEPTH = 100

/** Returns the file's values with their positions, or its first syntax error. Never throws. */
export function readToml(
  text: string,
): { ok: true; document: TomlDocument } | { ok: false; problem: TomlProblem } {
  try {
    return { ok: true, document: new DocumentBuilder().build(parseTOML(text, { tomlVersion: '1.0' })) }
  } catch (error) {
    if (error instanceof ParseError) return { ok: false, problem: syntaxProblem(error, text) }
    if (error instanceof ReservedKeyError) {
      return { ok: false, problem: { message: error.message, ...error.place } }
    }
    // Thrown here or by the parser: it recurses, and thousands of nested brackets exhaust the stack.
    if (error instanceof RangeError) {
      return { ok: false, problem: { message: 'The lists or tables are nested too deeply.', ...START } }
    }
    throw error
  }
}

class ReservedKeyError extends Error {
  readonly place: TomlPlace
  constructor(key: string, place: TomlPlace) {
    super(`"${key}" cannot be a key. Choose another name.`)
    this.place = place
  }
}

/*
 * Builds values here instead of with the library's getStaticTOMLValue, which assigns `__proto__` keys to plain objects. That
 * changes Object.prototype for the whole process, and an agent can write this file.
 */
class DocumentBuilder {
  readonly #keys = new Map<string, TomlPlace>()
  readonly #values = new Map<string, TomlPlace>()

  build(program: AST.TOMLProgram): TomlDocument {
    const root = newTable()
    for (const node of program.body[0].body) {
      if (node.type === 'TOMLKeyValue') this.#assign(root, [], node)
      else this.#enterTable(root, node)
    }
    return {
      root,
      valuePlace: (path) => nearest(this.#values, path),
      keyPlace: (path) => this.#keys.get(JSON.stringify(path)) ?? nearest(this.#values, path),
    }
  }

  #enterTable(root: TomlTable, node: AST.TOMLTable): void {
    checkDepth(node.resolvedKey.length)
    const names = node.key.keys
    let value: TomlValue = root
    // resolvedKey contains the header's names and, after each array of tables, the index within it.
    let nameIndex = 0
    node.resolvedKey.forEach((part, index) => {
      const path = node.resolvedKey.slice(0, index + 1)
      const place = placeOf(names[Math.min(nameIndex, names.length - 1)] ?? node)
      const next = node.resolvedKey[index + 1]
      value = this.#child(value, part, path, place, () => (typeof next === 'number' ? [] : newTable()))
      if (typeof part === 'string') nameIndex += 1
    })
    for (const entry of node.body) this.#assign(value as TomlTable, node.resolvedKey, entry)
  }

  #assign(table: TomlTable, base: TomlPath, node: AST.TOMLKeyValue): void {
    const names = node.key.keys
    checkDepth(base.length + names.length)
    let target = table
    let path = base
    for (const name of names.slice(0, -1)) {
      path = [...path, nameOf(name)]
      target = this.#child(target, nameOf(name), path, placeOf(name), newTable) as TomlTable
    }
    const last = names[names.length - 1]
    if (!last) return
    path = [...path, nameOf(last)]
    this.#keys.set(JSON.stringify(path), placeOf(last))
    target[checkedName(nameOf(last), placeOf(last))] = this.#value(node.value, path)
  }

  #child(
    parent: TomlValue,
    part: string | number,
    path: TomlPath,
    place: TomlPlace,
    make: () => TomlValue,
  ): TomlValue {
    const container = parent as Record<string | number, TomlValue>
    const name = typeof part === 'string' ? checkedName(part, place) : part
    const known = container[name]
    if (known !== undefined) return known
    const made = make()
    container[name] = made
    this.#keys.set(JSON.stringify(path), place)
    this.#values.set(JSON.stringify(path), place)
    return made
  }

  #value(node: AST.TOMLContentNode, path: TomlPath): TomlValue {
    checkDepth(path.length)
    this.#values.set(JSON.stringify(path), placeOf(node))
    if (node.type === 'TOMLArray') {
      return node.elements.map((element, index) => this.#value(element, [...path, index]))
    }
    if (node.type === 'TOMLInlineTable') {
      const table = newTable()
      for (const entry of node.body) this.#assign(table, path, entry)
      return table
    }
    return node.value
  }
}

function checkDepth(depth: number): void {
  if (depth > MAX_DEPTH) throw new RangeError(`${depth} parts of a path are more than ${MAX_DEPTH}`)
}

function newTable(): TomlTable {
  return Object.create(null) as TomlTable
}

function nameOf(key: AST.TOMLBare | AST.TOMLQuoted): string {
  return key.type === 'TOMLBare' ? key.name : key.value
}

function checkedName(name: string, place: TomlPlace): string {
  if (name === '__proto__') throw new ReservedKeyError(name, place)
  return name
}

function placeOf(node: AST.TOMLNode): TomlPlace {
  return { line: node.loc.start.line, column: node.loc.start.column + 1 }
}

function nearest(places: ReadonlyMap<string, TomlPlace>, path: TomlPath): TomlPlace {
  for (let length = path.length; length > 0; length -= 1) {
    const place = places.get(JSON.stringify(path.slice(0, length)))
    if (place) return place
  }
  return START
}

const expectedValue = 'expected a value: a number, "a text", true, false or a list in [ ]'

/** What a person needs to know for each of the parser's messages: what was expected. */
const expectations: Readonly<Record<string, string>> = {
  'Unterminated string constant': 'a string that starts with a quote must end with one on the same line',
  'Unterminated table-key': 'expected "]" after the section name',
  'Unterminated array': 'expected "]" at the end of the list',
  'Unterminated inline table': 'expected "}" at the end of the table',
  'Empty bare keys are not allowed': 'expected a name',
  'Must be a newline': 'expected a line break: one setting per line',
  'Expected equal (=) token': 'expected "=" after the name',
  'Unspecified values are invalid': expectedValue,
  'Expected comma (,) token': 'expected "," between the values',
  'Defining a key multiple times is invalid': 'each name and section may appear only once',
  'Unexpected character':
    'expected a number, true, false, "a text" in quotes, or the rest of a list ("a", "b")',
  'The key, equals sign, and value must be on the same line':
    'expected the name, "=" and the value on one line (or "]" before the line break)',
}

/** The parser notices these at the next token, often lines further down. They belong where the text before it ended. */
const belongsBefore =
  /^(Unterminated|Unspecified values|Expected (equal|comma)|The key, equals sign|Empty bare)/

function syntaxProblem(error: ParseError, text: string): TomlProblem {
  const gap = lineBreakBefore(text, error.index)
  const isMissingValue = gap !== null && text[gap - 1] === '='
  const expectation = isMissingValue
    ? expectedValue
    : (expectations[error.message] ?? lowerFirst(error.message))
  if (gap !== null && (isMissingValue || belongsBefore.test(error.message))) {
    return { message: `Not valid TOML: ${expectation}, found the end of the line.`, ...placeAt(text, gap) }
  }
  const found = describeFound(text, error.index, error.message.startsWith('Defining a key'))
  return {
    message: `Not valid TOML: ${expectation}, found ${found}.`,
    line: error.lineNumber,
    column: error.column + 1,
  }
}

/** Returns where the text before `index` ends if only white space with a line break follows; otherwise `null`. */
function lineBreakBefore(text: string, index: number): number | null {
  const end = text.slice(0, index).trimEnd().length
  return /[\r\n]/.test(text.slice(end, index)) ? end : null
}

function placeAt(text: string, index: number): TomlPlace {
  const lines = text.slice(0, index).split(/\r\n|\r|\n/)
  return { line: lines.length, column: (lines[lines.length - 1]?.length ?? 0) + 1 }
}

/** Returns the whole name at this place if it is a duplicate; otherwise the character. */
function describeFound(text: string, index: number, isName: boolean): string {
  const name = isName ? /^[\w-]+/.exec(text.slice(index))?.[0] : undefined
  return name === undefined ? describeCharacter(text, index) : JSON.stringify(name)
}

function describeCharacter(text: string, index: number): string {
  if (index >= text.length) return 'the end of the file'
  const character = String.fromCodePoint(text.codePointAt(index) ?? 0)
  if (/[\r\n]/.test(character)) return 'the end of the line'
  if (!/\p{C}/u.test(character)) return JSON.stringify(character)
  return `the character U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
