import type { z } from 'zod'

/** Returns the value of a JSON text; `undefined` if it is not JSON. Never throws. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns what a JSON text contains, as this schema reads it; `null` if it is not JSON or does not fit. Never throws. */
export function readJson<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> | null {
  const value = parseJson(text)
  return value === undefined ? null : (schema.safeParse(value).data ?? null)
}

/** Returns whether a value is an object, and neither a list nor null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
