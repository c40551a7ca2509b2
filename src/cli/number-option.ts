import { usageError } from './cli-error.ts'

/** The whole number from 1 on that an option gives, undefined where it is left out; anything else is a usage error. */
export function wholeNumber(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value > 0) return value
  throw usageError(`${option} is ${JSON.stringify(text)}; expected a whole number from 1.`)
}

/** The number above 0 that an option gives, undefined where it is left out; anything else is a usage error. */
export function positiveNumber(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (/^\d*\.?\d+$/.test(text) && Number.isFinite(value) && value > 0) return value
  throw usageError(`${option} is ${JSON.stringify(text)}; expected a number above 0, such as 2 or 1.5.`)
}
