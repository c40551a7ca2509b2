import { grouped } from '../core/text/grouped.ts'
import { usageError } from './cli-error.ts'

/** Parses an option as a whole number from 1 to `most`; undefined if it is left out. Throws a usage error otherwise. */
export function wholeNumber(
  option: string,
  text: string | undefined,
  most = Number.MAX_SAFE_INTEGER,
): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value > 0 && value <= most) return value
  const upTo = most === Number.MAX_SAFE_INTEGER ? '' : ` to ${grouped(most)}`
  throw usageError(`${option} is ${JSON.stringify(text)}; expected a whole number from 1${upTo}.`)
}

/** Parses an option as a number above 0, up to `most`; undefined if it is left out. Throws a usage error otherwise. */
export function positiveNumber(option: string, text: string | undefined, most: number): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (/^\d*\.?\d+$/.test(text) && value > 0 && value <= most) return value
  const expected = `a number above 0 and up to ${grouped(most)}, such as 2 or 1.5`
  throw usageError(`${option} is ${JSON.stringify(text)}; expected ${expected}.`)
}
