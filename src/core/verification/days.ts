/* Days in the forms that people write, besides ISO 8601. */

/** Beginnings of the names of months in English, German, French, Spanish, Italian, Portuguese and Dutch, without accents. */
const MONTHS = [
  'jan|ene|gen',
  'feb|fev',
  'mar|maa|mae|mrt',
  'apr|avr|abr',
  'may|mai|mag|mei',
  'jun|juin|giu',
  'jul|juil|lug',
  'aug|aou|ago',
  'sep|set',
  'oct|okt|ott|out',
  'nov',
  'dec|dez|dic',
]
const MONTH = `(?<month>${MONTHS.join('|')})[a-z]*`
const WEEKDAY = '^(?:[a-z]{2,10}[.,]{0,2} )?'
const IN_WORDS = [
  new RegExp(
    `${WEEKDAY}(?<day>\\d{1,2})(?:st|nd|rd|th|er)?\\.? (?:de )?${MONTH}\\.?,?(?: de)? (?<year>\\d{4})(?:\\D|$)`,
    'i',
  ),
  new RegExp(`${WEEKDAY}${MONTH}\\.? (?<day>\\d{1,2})(?:st|nd|rd|th)?,? (?<year>\\d{4})(?:\\D|$)`, 'i'),
]
/** Dates such as `2026-11-21`, `2026/11/21`, `2026年11月21日`. */
const YEAR_FIRST = /^(?<year>\d{4})[-/.年](?<month>\d\d?)[-/.月](?<day>\d\d?)(?:\D|$)/
const IN_NUMBERS = /^(?<one>\d{1,2})(?<mark>[./-])(?<other>\d{1,2})\k<mark>(?<year>\d{4})(?:\D|$)/

/** Returns the days that a text may name (`2026-11-21`): two if day and month could be swapped; none if it names none. Pure. */
export function daysNamed(written: string): readonly string[] {
  const text = written.normalize('NFD').replaceAll(/\p{M}/gu, '')
  const iso = YEAR_FIRST.exec(text)?.groups
  if (iso !== undefined) return dayOf(iso.year, Number(iso.month), Number(iso.day))
  const words = IN_WORDS.map((pattern) => pattern.exec(text)?.groups).find((groups) => groups !== undefined)
  if (words !== undefined) return dayOf(words.year, monthOf(words.month), Number(words.day))
  const { one, other, mark, year } = IN_NUMBERS.exec(text)?.groups ?? {}
  if (year === undefined) return []
  const dayFirst = dayOf(year, Number(other), Number(one))
  return mark === '.' ? dayFirst : [...dayFirst, ...dayOf(year, Number(one), Number(other))]
}

/** From 1. */
function monthOf(beginning = ''): number {
  return MONTHS.findIndex((names) => names.split('|').includes(beginning.toLowerCase())) + 1
}

function dayOf(year: string | undefined, month: number, day: number): readonly string[] {
  if (year === undefined || month < 1 || month > 12 || day < 1 || day > 31) return []
  return [`${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`]
}
