/* Days as people write them beside those of ISO 8601. */

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const MONTH = '(?<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*'
const WEEKDAY = '^(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? )?'
const IN_WORDS = [
  new RegExp(`${WEEKDAY}(?<day>\\d{1,2})(?:st|nd|rd|th)?\\.? ${MONTH},? (?<year>\\d{4})(?:\\D|$)`, 'i'),
  new RegExp(`${WEEKDAY}${MONTH}\\.? (?<day>\\d{1,2})(?:st|nd|rd|th)?,? (?<year>\\d{4})(?:\\D|$)`, 'i'),
]
const ISO = /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)(?:\D|$)/
const IN_NUMBERS = /^(?<one>\d{1,2})(?<mark>[./-])(?<other>\d{1,2})\k<mark>(?<year>\d{4})(?:\D|$)/

/** The days that a text may name (`2026-11-21`): both where day and month may be either way round; none where it names none. Pure. */
export function daysNamed(text: string): readonly string[] {
  const iso = ISO.exec(text)?.groups
  if (iso !== undefined) return dayOf(iso.year, Number(iso.month), Number(iso.day))
  const words = IN_WORDS.map((pattern) => pattern.exec(text)?.groups).find((groups) => groups !== undefined)
  if (words !== undefined)
    return dayOf(words.year, MONTHS.indexOf((words.month ?? '').toLowerCase()) + 1, Number(words.day))
  const { one, other, mark, year } = IN_NUMBERS.exec(text)?.groups ?? {}
  if (year === undefined) return []
  const dayFirst = dayOf(year, Number(other), Number(one))
  return mark === '.' ? dayFirst : [...dayFirst, ...dayOf(year, Number(one), Number(other))]
}

function dayOf(year: string | undefined, month: number, day: number): readonly string[] {
  if (year === undefined || month < 1 || month > 12 || day < 1 || day > 31) return []
  return [`${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`]
}
