/** What a form can write. */
export type TomlInput = string | number | boolean | readonly TomlInput[]

/**
 * Returns a value as TOML in the style of what was there before (`former`, may be empty): the quotes of a literal string, one
 * line per list element. Throws a `RangeError` if a number is not finite or a text is not well-formed Unicode.
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

/** JSON's escapes are valid TOML, except that TOML also requires DEL to be escaped. */
function quoted(text: string): string {
  if (!isWellFormed(text)) throw new RangeError('The text contains half a character (a lone surrogate).')
  return JSON.stringify(text).replaceAll('\u007f', '\\u007F')
}

function isWellFormed(text: string): boolean {
  return !/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text)
}

function formatNumber(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`${value} is not a number that a setting can have.`)
  // A whole number beyond 2^53 would be read as a 64-bit integer; as a float it is read back as given.
  return Number.isInteger(value) && !Number.isSafeInteger(value) && !/e/.test(String(value))
    ? `${value}.0`
    : String(Object.is(value, -0) ? 0 : value)
}
