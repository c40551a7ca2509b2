import { closestMatch } from 'leven'
import { z } from 'zod'

/*
 * Parts of schemas whose error message is the full expectation, whichever of its conditions failed: "a whole number from 1 to 100".
 * `schema-problems.ts` combines it with what was found. A rule with its own message is a custom issue instead.
 */

/** Returns a schema of a number within bounds, both inclusive unless `above` excludes the lower one. */
export function number(bounds: { from: number; to: number; above?: boolean }): z.ZodNumber {
  const error = bounds.above
    ? `a number greater than ${bounds.from}, at most ${bounds.to}`
    : `a number from ${bounds.from} to ${bounds.to}`
  const least = bounds.above ? z.gt(bounds.from, { error }) : z.gte(bounds.from, { error })
  return z.number({ error }).check(z.lte(bounds.to, { error }), least)
}

/**
 * Returns a schema of a whole number within bounds. All conditions are added in one step, because each step copies the schema at every
 * start.
 */
export function wholeNumber(bounds: { from: number; to: number }): z.ZodInt {
  const error = `a whole number from ${bounds.from} to ${bounds.to}`
  return z.int({ error }).check(z.gte(bounds.from, { error }), z.lte(bounds.to, { error }))
}

export function boolean(): z.ZodBoolean {
  return z.boolean({ error: 'true or false' })
}

/** Returns a schema of a string without NUL, which no operating system accepts in a path or an argument. */
export function text(expected: string, pattern = /^[^\0]+$/, maximumLength = 4096): z.ZodString {
  return z
    .string({ error: expected })
    .check(z.maxLength(maximumLength, { error: expected }), z.regex(pattern, { error: expected }))
}

export function oneOf<const T extends readonly [string, ...string[]]>(
  values: T,
  remark = '',
): z.ZodEnum<{ [K in T[number]]: K }> {
  return z.enum(values, { error: values.map((value) => JSON.stringify(value)).join(' or ') + remark })
}

/** Returns a schema of any string that the operating system accepts as an argument. */
export function plainText(): z.ZodString {
  return z
    .string({ error: 'a text' })
    .check(
      z.maxLength(32_768, { error: 'a string of at most 32768 characters' }),
      z.regex(/^[^\0]*$/, { error: 'a string without NUL characters' }),
    )
}

export const ENVIRONMENT_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

/** Returns a schema of variables added to a program's environment. */
export function environment(): z.ZodRecord<z.ZodString, z.ZodString> {
  const error = 'the name of an environment variable (letters, digits and "_")'
  return z.record(z.string().regex(ENVIRONMENT_NAME, { error }), plainText(), {
    error: 'a table of environment variables, such as { LANG = "C" }',
  })
}

/** Returns a schema of a list of environment variable names. */
export function environmentNames(): z.ZodArray<z.ZodString> {
  return z
    .array(text('the name of an environment variable (letters, digits and "_")', ENVIRONMENT_NAME, 200), {
      error: 'a list of environment variables, such as ["DEPLOY_TOKEN"]',
    })
    .max(100, { error: 'at most 100 environment variables' })
}

/** Returns a schema of a program and its arguments, which are never passed to a shell. */
export function command(): z.ZodArray<z.ZodString> {
  const error = 'a program and its arguments as a list of strings, such as ["npm", "test"]'
  return z
    .array(plainText(), { error })
    .min(1, { error })
    .max(256, { error: 'at most 256 arguments' })
    .refine((words) => words[0] !== '', {
      error: 'the program (the first string of the list) is empty. Name it.',
    })
}

/** Returns a schema of a table that rejects unknown keys, and suggests the nearest known one. */
export function table<Shape extends z.ZodRawShape>(
  shape: Shape,
  expected = 'a table of settings',
): z.ZodObject<Shape, z.core.$strict> {
  const known = Object.keys(shape)
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? // One line per key, in order; schema-problems.ts splits them.
          (issue.keys as string[]).map((key) => unknownKeyMessage(key, known)).join('\n')
        : expected,
  })
}

function unknownKeyMessage(key: string, known: readonly string[]): string {
  const near = closestMatch(key, known, { maxDistance: Math.max(2, Math.floor(key.length / 3)) })
  return near === undefined
    ? `unknown name. Known here: ${known.join(', ')}.`
    : `unknown name. Did you mean ${JSON.stringify(near)}?`
}
