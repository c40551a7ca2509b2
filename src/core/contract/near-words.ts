import leven from 'leven'

/** The keys of a probe that reads a test report. */
export const REPORT_KEYS = ['passed', 'failed', 'skipped', 'executed', 'total']
const WORDS = ['required', 'optional']
const PREFIXES = ['max_attempts', 'may_change', 'verify', 'when', 'model', 'files']

/**
 * Returns the word that a misspelled one stands for, if it is at most two letters away, or a third of its length for a longer word;
 * otherwise null.
 */
export function nearestOf(word: string, known: readonly string[]): string | null {
  const most = Math.max(1, Math.min(2, Math.floor(word.length / 3)))
  const near = known.find((one) => leven(word.toLowerCase(), one, { maxDistance: most + 1 }) <= most)
  return near === undefined || near === word ? null : near
}

/** Returns the field that a text written as a check was probably meant as (`requird`, `max_attempt: 3`); otherwise null. */
export function meantField(source: string): string | null {
  if (source.length > 200) return null
  const [, prefix, value = ''] = /^([A-Za-z_]{3,20})\s*:\s*(.*)$/s.exec(source) ?? []
  if (prefix === undefined) return /^[A-Za-z]{5,12}$/.test(source) ? nearestOf(source, WORDS) : null
  const near = nearestOf(prefix, PREFIXES)
  return near === null ? null : `${near}: ${value}`
}

/** Returns the keys of report probes in a check that no report has, with their probe. */
export function unknownKeys(
  source: string,
  reportProbes: readonly string[],
): readonly { readonly probe: string; readonly key: string }[] {
  const known = new Set(reportProbes)
  const outside = source.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""')
  return [...outside.matchAll(/(?<![\w.])([A-Za-z_]\w*)\.([A-Za-z_]\w*)/g)].flatMap(
    ([, probe = '', key = '']) => (known.has(probe) && !REPORT_KEYS.includes(key) ? [{ probe, key }] : []),
  )
}
