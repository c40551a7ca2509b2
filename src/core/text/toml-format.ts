/** What a form can write. */
export type TomlInput = string | number | boolean | readonly TomlInput[]

/**
 * A value as TOML. It keeps the manner of what stood there before (`former`, may be empty): quotes of a literal text, one line
 * for each element of a list. Numbers have to be finite and texts well-formed Unicode: others throw a `RangeError`.
 */
export function formatTomlValue(value: TomlInput, former: string, lineBreak: string): string {
  if (typeof value === 'string') return formatText(value, former)
  if (typeof value === 'number') return formatNumber(value)
  if (typeof value === 'boolean') return String(value)
  const elements = value.map((element) => formatTomlValue(element, '', lineBreak))
  if (!former.includes('\n') || elements.length === 0) return `[${elements.join(', ')}]`
  const indentation = /\n([ \t]+)\S/.exec(former)?.[1] ?? '  '
  const closing = /\n([ \t]*)\]$/.exec(former)?.[1] ?? ''
  return `[${lineBreak}${elements.map((element) => `${indentation}${element},${lineBreak}`).join('')}${closing}]`
}

export function formatTomlKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : quoted(key)
}

function formatText(text: string, former: string): string {
  const wasLiteral = /^'(?!'')/.test(former)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a literal text may hold none of them
  return wasLiteral && !/['\u0000-\u0008\u000a-\u001f\u007f]/.test(text) ? `'${text}'` : quoted(text)
}

/** JSON's escapes are TOML's too, but for DEL, which TOML wants escaped. */
function quoted(text: string): string {
  if (!isWellFormed(text)) throw new RangeError('The text holds half a character (a lone surrogate).')
  return JSON.stringify(text).replaceAll('\u007f', '\\u007F')
}

function isWellFormed(text: string): boolean {
  return !/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text)
}

function formatNumber(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`${value} is no number that a setting can have.`)
  // A whole number beyond 2^53 would be read as an integer of 64 bits; as a float it is read as it was given.
  return Number.isInteger(value) && !Number.isSafeInteger(value) && !/e/.test(String(value))
    ? `${value}.0`
    : String(Object.is(value, -0) ? 0 : value)
}
