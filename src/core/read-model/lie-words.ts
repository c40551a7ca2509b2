/** A claim with its measurement: the fields needed to word it. */
interface Compared {
  readonly subject: string
  readonly claimed: string | null
  readonly measured: string | null
  readonly agrees: boolean | null
  readonly isHint?: boolean | undefined
}

/** Returns what was refuted, the most serious first: explicit claims about a value or a file come before the claim that all is done. */
export function refutedFirst<C extends Compared>(comparisons: readonly C[]): readonly C[] {
  const refuted = comparisons.filter(({ agrees }) => agrees === false)
  const outright = refuted.filter(({ isHint, subject }) => isHint !== true && subject !== 'completion')
  return [...outright, ...refuted.filter((comparison) => !outright.includes(comparison))]
}

/**
 * Returns a contradicted claim in words that follow a name: `claimed drafts 3, measured 0`; `claimed done, but tests.failed == 0 fails`.
 */
export function lieInWords({ subject, claimed, measured, isHint }: Compared): string {
  if (measured === 'not written') return `claimed to have written ${subject}, but did not`
  if (subject === 'completion') return `claimed done, but ${measured ?? 'nothing shows it'}`
  if (isHint !== true) return `claimed ${subject} ${claimed ?? 'nothing'}, measured ${measured ?? 'nothing'}`
  const values = measured === null || measured === 'does not hold' ? '' : ` (${measured})`
  return `claimed ${claimed ?? 'nothing'}, but ${subject} fails${values}`
}

/** Returns the measurement as screens word it: a check passes or fails. */
export function measuredInWords(measured: string | null): string {
  switch (measured) {
    case null:
      return 'not measured'
    case 'holds':
      return 'passes'
    case 'does not hold':
      return 'fails'
    default:
      return measured
  }
}
