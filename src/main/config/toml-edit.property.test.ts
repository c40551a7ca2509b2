import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readToml, type TomlValue } from '../../core/text/toml-document.ts'
import type { TomlInput } from '../../core/text/toml-format.ts'
import { removeTomlValue, setTomlValue } from './toml-edit.ts'

/*
 * Builds files from lines, so that the generator knows the meaning of each: sections in any order, dotted keys, inline tables, lists over
 * several lines, comments and blank lines anywhere, both kinds of line break, with and without a final one.
 */

type Model = { [key: string]: Model | TomlInput }

const name = fc.constantFrom('a', 'b', 'c', 'long_name', 'quoted key', 'ü', '1')
const scalar: fc.Arbitrary<string | number | boolean> = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom('C:\\a "b"', "it's", '# no comment', '', '\t\u007f', 'two\nlines'),
  fc.integer({ min: -1000, max: 1_000_000 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)),
  fc.boolean(),
)
const value: fc.Arbitrary<TomlInput> = fc.oneof(
  { weight: 4, arbitrary: scalar },
  fc.array(fc.string({ maxLength: 5 }), { maxLength: 4 }),
  fc.array(fc.array(fc.string({ maxLength: 5 }), { minLength: 1, maxLength: 3 }), { maxLength: 3 }),
)
const blanks = fc.constantFrom('', ' ', '  ', '\t')
const comment = fc.constantFrom('', '', '# why', '# [not.a.section]', '# x = 1 "')

function keyOf(part: string): string {
  return /^[A-Za-z0-9_-]+$/.test(part) ? part : JSON.stringify(part)
}

/** Returns every way to write a value in TOML. */
function notations(given: TomlInput, lineBreak: string): string[] {
  if (typeof given === 'string') {
    const basic = JSON.stringify(given).replaceAll('\u007f', '\\u007F')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a literal text may hold none of them
    return /['\u0000-\u001f\u007f]/.test(given) ? [basic] : [basic, `'${given}'`]
  }
  if (typeof given === 'number') {
    const plain =
      Number.isInteger(given) && !/e/.test(String(given)) ? [`${given}`, `${given}.0`] : [`${given}`]
    return Number.isSafeInteger(given) || !Number.isInteger(given) ? plain : plain.slice(-1)
  }
  if (typeof given === 'boolean') return [String(given)]
  const each = given.map((element) => notations(element, lineBreak)[0])
  return [
    `[${each.join(', ')}]`,
    `[ ${each.join(' ,')} ]`,
    `[ # a list${lineBreak}${each.map((text) => `   ${text}, # one${lineBreak}`).join('')}]`,
  ]
}

interface Line {
  readonly keys: readonly string[]
  readonly value: TomlInput | readonly (readonly [string, TomlInput])[]
  readonly notation: number
  readonly blanks: string
  readonly comment: string
  readonly gap: string
}

const line: fc.Arbitrary<Line> = fc.record({
  keys: fc.array(name, { minLength: 1, maxLength: 2 }),
  value: fc.oneof(
    { weight: 4, arbitrary: value },
    fc.uniqueArray(fc.tuple(name, scalar), { selector: ([key]) => key, maxLength: 3 }),
  ),
  notation: fc.nat(5),
  blanks,
  comment,
  gap: fc.constantFrom('', '', '\n', '# apart\n'),
})

const file = fc
  .record({
    root: fc.array(line, { maxLength: 3 }),
    sections: fc.array(
      fc.record({
        header: fc.array(name, { minLength: 1, maxLength: 3 }),
        lines: fc.array(line, { maxLength: 4 }),
        comment,
      }),
      { maxLength: 4 },
    ),
    lineBreak: fc.constantFrom('\n', '\r\n'),
    start: fc.constantFrom('', '\uFEFF', '# file\n'),
    ending: fc.boolean(),
  })
  .map(({ root, sections, lineBreak, start, ending }) => {
    const written = (each: Line): string => {
      const pairs = each.value as readonly (readonly [string, TomlInput])[]
      const isInline =
        Array.isArray(each.value) &&
        pairs.length > 0 &&
        pairs.every(
          (pair) =>
            Array.isArray(pair) &&
            pair.length === 2 &&
            typeof pair[0] === 'string' &&
            !Array.isArray(pair[1]),
        )
      const text = isInline
        ? `{ ${pairs.map(([key, member]) => `${keyOf(key)} = ${notations(member, lineBreak)[0]}`).join(', ')} }`
        : (notations(each.value as TomlInput, lineBreak).at(each.notation % 3) ??
          notations(each.value as TomlInput, lineBreak)[0])
      return `${each.gap}${each.blanks}${each.keys.map(keyOf).join('.')}${each.blanks}=${each.blanks} ${text} ${each.comment}\n`
    }
    const body = [
      ...root.map(written),
      ...sections.map(
        ({ header, lines, comment: remark }) =>
          `\n[${header.map(keyOf).join(' . ')}] ${remark}\n${lines.map(written).join('')}`,
      ),
    ].join('')
    const whole = start + (ending ? body : body.replace(/\n$/, ''))
    return whole.replaceAll(/\r?\n/g, lineBreak)
  })
  // The parser filters out what breaks TOML's rules (a repeated name).
  .filter((text) => readToml(text.replace(/^\uFEFF/, '')).ok)

function read(text: string): Model {
  const toml = readToml(text.replace(/^\uFEFF/, ''))
  if (!toml.ok) throw new Error(toml.problem.message)
  return copy(toml.document.root) as Model
}

function copy(given: TomlValue): unknown {
  if (Array.isArray(given)) return given.map(copy)
  if (typeof given !== 'object') return given
  return Object.fromEntries(
    Object.entries(given as { [key: string]: TomlValue }).map(([key, each]) => [key, copy(each)]),
  )
}

/** Returns the paths of everything in a file, including tables. */
function pathsOf(model: Model, prefix: readonly string[] = []): string[][] {
  return Object.entries(model).flatMap(([key, each]) => [
    [...prefix, key],
    ...(typeof each === 'object' && !Array.isArray(each) ? pathsOf(each as Model, [...prefix, key]) : []),
  ])
}

function at(model: Model, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (each, key) =>
      typeof each === 'object' && each !== null && Object.hasOwn(each, key)
        ? (each as Model)[key]
        : undefined,
    model,
  )
}

function isTable(each: unknown): boolean {
  return typeof each === 'object' && !Array.isArray(each)
}

const target = fc.record({
  text: file,
  pick: fc.nat(30),
  fresh: fc.array(name, { minLength: 1, maxLength: 4 }),
  useFresh: fc.boolean(),
})

function pathFor({
  text,
  pick,
  fresh,
  useFresh,
}: {
  text: string
  pick: number
  fresh: string[]
  useFresh: boolean
}): string[] {
  const known = pathsOf(read(text))
  return useFresh || known.length === 0 ? fresh : (known[pick % known.length] ?? fresh)
}

/** Removes empty tables: removing a dotted key also removes a table that only it had created. */
function pruned(model: Model): Model {
  const members = Object.entries(model).map(
    ([key, each]) => [key, isTable(each) ? pruned(each as Model) : each] as const,
  )
  return Object.fromEntries(
    members.filter(([, each]) => !isTable(each) || Object.keys(each as Model).length > 0),
  )
}

/** Returns the part of `before` that an edit has replaced. */
function replaced(before: string, after: string): { readonly removed: string; readonly added: string } {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end++
  return { removed: before.slice(start, before.length - end), added: after.slice(start, after.length - end) }
}

test('after setting a value, reading the file shows exactly that edit', () => {
  let edited = 0
  fc.assert(
    fc.property(target, value, (given, wanted) => {
      const path = pathFor(given)
      const result = setTomlValue(given.text, path, wanted)
      const before = read(given.text)
      if (!result.ok) {
        // An edit is refused only if a table, or another kind of value, is in the way.
        const blocked = path.some((_, index) => {
          const each = at(before, path.slice(0, index + 1))
          return index === path.length - 1
            ? isTable(each) && each !== undefined
            : each !== undefined && !isTable(each)
        })
        expect(blocked, result.reason).toBe(true)
        return
      }
      edited++
      const expected = structuredClone(before)
      let table = expected
      for (const key of path.slice(0, -1)) {
        table[key] ??= {}
        table = table[key] as Model
      }
      table[path.at(-1) ?? ''] = wanted
      expect(read(result.text)).toEqual(expected)
    }),
    { numRuns: 2000 },
  )
  expect(edited).toBeGreaterThan(1000)
})

test('adding a setting removes no byte, and changing one removes only its old value', () => {
  fc.assert(
    fc.property(target, value, (given, wanted) => {
      const path = pathFor(given)
      const result = setTomlValue(given.text, path, wanted)
      if (!result.ok) return
      const former = at(read(given.text), path)
      const { removed } = replaced(given.text, result.text)
      if (former === undefined) expect(removed.trim()).toBe('')
      else if (!Array.isArray(former)) expect(removed).not.toMatch(/\n|# (why|apart|x|\[)/)
    }),
    { numRuns: 2000 },
  )
})

test('setting a value that is already set changes nothing', () => {
  fc.assert(
    fc.property(target, (given) => {
      const path = pathFor({ ...given, useFresh: false })
      const former = at(read(given.text), path)
      if (former === undefined || isTable(former)) return
      expect(setTomlValue(given.text, path, former as TomlInput)).toEqual({ ok: true, text: given.text })
    }),
    { numRuns: 1000 },
  )
})

test('after removing a setting, reading the file shows exactly that, and comments stay except in a removed table', () => {
  const comments = (text: string) => text.match(/# (why|apart|x = 1 "|\[not.a.section\])/g)?.length ?? 0
  let removed = 0
  fc.assert(
    fc.property(target, (given) => {
      const path = pathFor({ ...given, useFresh: false })
      const before = read(given.text)
      const former = at(before, path)
      const result = removeTomlValue(given.text, path)
      if (former === undefined) {
        expect(result).toEqual({ ok: true, text: given.text })
        return
      }
      if (!result.ok) {
        expect(isTable(former), result.reason).toBe(true)
        return
      }
      removed++
      const expected = structuredClone(before)
      delete (at(expected, path.slice(0, -1)) as Model)[path.at(-1) ?? '']
      expect(pruned(read(result.text))).toEqual(pruned(expected))
      if (!isTable(former)) expect(comments(result.text)).toBe(comments(given.text))
    }),
    { numRuns: 2000 },
  )
  expect(removed).toBeGreaterThan(200)
})

test('no text makes the editor throw', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.array(name, { minLength: 1 }),
      value,
      (text, path, wanted) => {
        expect(setTomlValue(text, path, wanted)).toHaveProperty('ok')
        expect(removeTomlValue(text, path)).toHaveProperty('ok')
      },
    ),
  )
})
