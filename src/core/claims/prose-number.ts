const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i
/** Scripts that put no space between a number and its unit. */
const UNSPACED = '[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\p{sc=Thai}]'
/** A number, with or without grouped thousands, followed by nothing, a unit or words. */
const SPOKEN_NUMBER = new RegExp(
  `^(?<number>[+-]?(?:\\d{1,3}(?:(?<mark>[.,_'’ \\u00a0\\u202f])\\d{3})(?:\\k<mark>\\d{3})*(?:[.,]\\d+)?|\\d+(?:[.,]\\d+)?|\\.\\d+)(?:e[+-]?\\d+)?)` +
    `(?<rest>[.!]?|\\s*[%\\p{Sc}]|\\s+[^\\d\\s].*|[a-z]{1,3}\\b.*|${UNSPACED}.*)$`,
  'iu',
)
/** Thousands or decimals: the text alone is ambiguous. */
const EITHER_MARK = /^[+-]?[1-9]\d{0,2}(?:(?:\.\d{3})+|(?:,\d{3})+)$/
const ONE_MARK = /^[+-]?\d{1,3}[.,]\d{3}$/
/** `1.234,56`, `1 234,56`, `0,75`: the notation used in most of Europe. */
const DECIMAL_COMMA = /^(?<whole>[+-]?(?:\d{1,3}(?:[.'’ \u00a0\u202f]\d{3})+|\d+)),(?<part>\d+)$/
const GROUPING = /[,_'’ \u00a0\u202f](?=\d{3})/g
/** Percentages, sizes, times and counts in larger units. A probe may count in smaller units. */
const SCALE =
  /\d\s*(?:%|[kmgt]i?b?\b|bytes?\b|[mµun]?s\b|sec|min|h\b|hours?|days?|weeks?|dozen|hundred|thousand|million|billion|percent|prozent|pour ?cent|tsd|tausend|mio|mrd|milliard|stunden?|tage?\b|heures?|jours?|[百千万萬億亿兆割分秒時时小日天週周月年백천만억초시])/i
/** A longer text is not a number with a unit. */
const MAX_SPOKEN_LENGTH = 120

/**
 * Returns the numbers that a value may mean: plain, grouped, with a unit or words after it; several if its marks are ambiguous.
 * Empty if it is not a number or names more than one. Never throws.
 */
export function spokenNumbers(value: string | number): readonly number[] {
  const plain = plainNumber(value)
  const text = typeof value === 'string' ? currencyLast(withHyphen(value.slice(0, MAX_SPOKEN_LENGTH))) : ''
  const alone = numberAlone(text, plain)
  if (alone.length > 0) return alone
  const { number = '', rest = '' } = SPOKEN_NUMBER.exec(text)?.groups ?? {}
  // "3 of 5" and "3 to 5" don't say which number counts.
  if (/\d/.test(rest)) return []
  const counted = numberAlone(number, plainNumber(number))
  return counted.length > 0 ? counted : numbersOf([number.replace(GROUPING, '')])
}

/** Returns every reading of a text that is only a number, except one with other grouping marks. */
function numberAlone(text: string, plain: number | null): readonly number[] {
  // `1.000` and `1,000` have three decimals in some countries and mean a thousand in others.
  if (EITHER_MARK.test(text))
    return numbersOf([text.replaceAll(/[.,]/g, ''), ...(ONE_MARK.test(text) ? [text.replace(',', '.')] : [])])
  if (plain !== null) return [plain]
  const { whole, part } = DECIMAL_COMMA.exec(text)?.groups ?? {}
  return whole === undefined ? [] : numbersOf([`${whole.replace(GROUPING, '').replaceAll('.', '')}.${part}`])
}

function numbersOf(texts: readonly string[]): readonly number[] {
  return texts.map(plainNumber).filter((number) => number !== null)
}

/** Returns a value as a finite number; a text counts only if it contains nothing else. Otherwise null. */
export function plainNumber(value: string | number | boolean): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'string') return null
  const text = withHyphen(value)
  const number = DECIMAL.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(number) ? number : null
}

/** Returns the text trimmed, with a plain minus sign (`−3` uses a typographic one) and the digits 0 to 9. */
function withHyphen(text: string): string {
  return inOwnDigits(text.trim()).replace(/^[−–－](?=[\d.])/, '-')
}

const CURRENCY =
  /^(?<sign>-?)(?<name>(?:US|CA|A|NZ)?\p{Sc}|(?:USD|EUR|GBP|JPY|CHF|CNY|INR|AUD|CAD|NZD|SEK|NOK|DKK|PLN|CZK|BRL)\b)\s*(?<rest>-?[\d.].*)$/u

/** Moves a currency to the end: `$5` and `EUR 5` become `5 $` and `5 EUR`. */
export function currencyLast(text: string): string {
  const { sign = '', name, rest = '' } = CURRENCY.exec(text)?.groups ?? {}
  return name === undefined ? text : `${sign}${rest} ${name}`
}

/** The zero of other digit sets: Arabic, Persian, Devanagari, Bengali, Thai and full-width digits. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xff10]
const MARKS: Readonly<Record<string, string>> = {
  '٫': '.',
  '٬': ',',
  '．': '.',
  '，': ',',
  '％': '%',
  '٪': '%',
}

function inOwnDigits(text: string): string {
  return text
    .replace(/\p{Nd}/gu, (digit) => {
      const code = digit.codePointAt(0) ?? 0
      const zero = ZEROS.find((first) => code >= first && code < first + 10)
      return zero === undefined ? digit : String(code - zero)
    })
    .replace(/(?<=\d)[٫٬．，％٪]/g, (mark) => MARKS[mark] ?? mark)
}

/** Returns whether something after a number may change its scale: a percentage, a size, a time, a larger unit. */
export function hasScale(value: string): boolean {
  return SCALE.test(withHyphen(value.slice(0, MAX_SPOKEN_LENGTH)))
}
