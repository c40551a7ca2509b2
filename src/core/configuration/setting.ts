import { z } from 'zod'
import { grouped } from '../text/grouped.ts'
import { boolean, number, oneOf, table, text, wholeNumber } from './expect.ts'

/*
 * A setting is one row: its schema, default, limits, unit, words for the form and for the document. The parser, the types, the
 * page's form and the tables of docs/configuration.md are all derived from it.
 */

/** How the form shows a setting. */
export type Control =
  | { readonly kind: 'number'; readonly unit?: string }
  | { readonly kind: 'text'; readonly suggestions?: () => readonly string[] }
  | { readonly kind: 'toggle' }
  | {
      readonly kind: 'choice'
      readonly options: readonly (readonly [value: string, label: string])[]
      /** The label for choosing none, if there is no default. */
      readonly unset?: string
    }
  /** A list of strings, one per line. */
  | { readonly kind: 'lines' }
  /** A program and its arguments. */
  | { readonly kind: 'command' }
  /** A list of commands, one per line. */
  | { readonly kind: 'commands' }

/** The texts of a setting. */
interface Words {
  /** Label in the form. A setting without one is not in the form and is set in the file. */
  readonly label?: string
  /** One or two sentences next to the field. */
  readonly hint?: string
  /** Description in the document's table, as Markdown. */
  readonly meaning: string
  /** The default as the document words it, if the row's own default doesn't say it. */
  readonly defaultWords?: string
}

export interface Setting<Schema extends z.ZodType = z.ZodType, Default = unknown, As = unknown>
  extends Words {
  readonly schema: Schema
  /** `undefined` if there is no default, and the setting may be left out. */
  readonly default: Default
  /** Its name in our own types, if it isn't the file's name in camel case. */
  readonly as: As
  /** The type as the document words it: "1 to 1000". */
  readonly type: string
  readonly control: Control
}

export type Settings = Readonly<Record<string, Setting>>

interface Row extends Words {
  readonly default?: unknown
  readonly as?: string
}

type DefaultOf<R> = R extends { readonly default: infer Default } ? Default : undefined
type AsOf<R> = R extends { readonly as: infer As } ? As : undefined

/** Returns a row with its own schema. */
export function setting<Schema extends z.ZodType, const R extends Row>(
  schema: Schema,
  row: R & { readonly type: string; readonly control: Control },
): Setting<Schema, DefaultOf<R>, AsOf<R>> {
  return {
    ...row,
    schema,
    // A property missing in the row is missing in its type too.
    default: row.default as DefaultOf<R>,
    as: row.as as AsOf<R>,
  }
}

interface Bounds {
  readonly from: number
  readonly to: number
}

interface NumberRow extends Row, Bounds {
  readonly default?: number
  readonly unit?: string
}

export function wholeNumberSetting<const R extends NumberRow>(row: R) {
  return setting(wholeNumber(row), {
    ...row,
    type: `${grouped(row.from)} to ${grouped(row.to)}`,
    control: { kind: 'number', ...(row.unit !== undefined && { unit: row.unit }) },
  })
}

/** `above`: the lower bound itself is excluded. */
export function numberSetting<const R extends NumberRow & { readonly above?: boolean }>(row: R) {
  return setting(number(row), {
    ...row,
    type:
      row.above === true
        ? `number > ${grouped(row.from)}, at most ${grouped(row.to)}`
        : `number from ${grouped(row.from)} to ${grouped(row.to)}`,
    control: { kind: 'number', ...(row.unit !== undefined && { unit: row.unit }) },
  })
}

export function toggleSetting<const R extends Row & { readonly default?: boolean }>(row: R) {
  return setting(boolean(), { ...row, type: 'true, false', control: { kind: 'toggle' } })
}

type Options = readonly [readonly [string, string], ...(readonly (readonly [string, string])[])]
type ValueOf<O extends Options> = O[number][0]

export function choiceSetting<
  const O extends Options,
  const R extends Row & { readonly default?: ValueOf<O>; readonly unset?: string },
>(options: O, row: R) {
  const values = options.map(([value]) => value) as [ValueOf<O>, ...ValueOf<O>[]]
  return setting(oneOf(values), {
    ...row,
    type: values.map((value) => `\`${JSON.stringify(value)}\``).join(', '),
    control: { kind: 'choice', options, ...(row.unset !== undefined && { unset: row.unset }) },
  })
}

export function textSetting<
  const R extends Row & {
    readonly default?: string
    readonly expected: string
    readonly pattern?: RegExp
    readonly maximumLength?: number
    readonly type: string
  },
>(row: R) {
  return setting(text(row.expected, row.pattern, row.maximumLength), { ...row, control: { kind: 'text' } })
}

/** Returns a row for a list of strings. `one` is the expectation for each string, `all` for the list. */
export function linesSetting<
  const R extends Row & {
    readonly default?: readonly string[]
    readonly one: string
    readonly all: string
    readonly most: number
    readonly noun: string
    readonly type: string
    readonly pattern?: RegExp
    readonly maximumLength?: number
  },
>(row: R) {
  const list = z
    .array(text(row.one, row.pattern, row.maximumLength), { error: row.all })
    .max(row.most, { error: `at most ${row.most} ${row.noun}` })
  return setting(list, { ...row, control: { kind: 'lines' } })
}

type SchemaOf<S> =
  S extends Setting<infer Schema, infer Default>
    ? Default extends undefined
      ? z.ZodOptional<Schema>
      : z.ZodDefault<Schema>
    : never

export type Shape<S extends Settings> = { readonly [Name in keyof S]: SchemaOf<S[Name]> }

/** Returns the schema of each setting, with its default. */
export function shapeOf<S extends Settings>(settings: S): Shape<S> {
  const shape = Object.entries(settings).map(([name, { schema, default: value }]) => [
    name,
    value === undefined ? schema.optional() : schema.default(value as never),
  ])
  // Safe: each entry has the type it is declared with.
  return Object.fromEntries(shape) as Shape<S>
}

/** Returns the schema of a section that rejects unknown keys, with every default. */
export function sectionSchema<S extends Settings>(settings: S, expected?: string) {
  return table(shapeOf(settings), expected)
}

type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name

type PropertyOf<S extends Settings, Name extends keyof S> =
  S[Name] extends Setting<z.ZodType, unknown, infer As>
    ? As extends string
      ? As
      : Camel<Name & string>
    : never

/** A section in our own types: names in camel case, `null` if nothing is set and there is no default. */
export type Values<S extends Settings> = {
  readonly [Name in keyof S as PropertyOf<S, Name>]: S[Name] extends Setting<infer Schema, infer Default>
    ? Default extends undefined
      ? DeepReadonly<z.output<Schema>> | null
      : DeepReadonly<z.output<Schema>>
    : never
}

type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T

/** Returns a parsed section in our own types. */
export function valuesOf<S extends Settings>(
  settings: S,
  parsed: Readonly<Record<string, unknown>>,
): Values<S> {
  const values = Object.entries(settings).map(([name, { as }]) => [
    typeof as === 'string' ? as : camelCase(name),
    parsed[name] ?? null,
  ])
  // Safe: each property has the type it is declared with.
  return Object.fromEntries(values) as Values<S>
}

/** Returns the values that apply if the file doesn't set them. */
export function defaultsOf<S extends Settings>(settings: S): Values<S> {
  return valuesOf(
    settings,
    Object.fromEntries(Object.entries(settings).map(([name, { default: value }]) => [name, value])),
  )
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
