/** A claim beside what was measured: the fields that the wording needs. */
interface Compared {
  readonly subject: string
  readonly claimed: string | null
  readonly measured: string | null
  readonly agrees: boolean | null
  readonly isHint?: boolean | undefined
}

/** What was refuted, the gravest first: a value or a file that was claimed outright, before that the whole was called done. */
export function refutedFirst<C extends Compared>(comparisons: readonly C[]): readonly C[] {
  const refuted = comparisons.filter(({ agrees }) => agrees === false)
  const outright = refuted.filter(({ isHint, subject }) => isHint !== true && subject !== 'completion')
  return [...outright, ...refuted.filter((comparison) => !outright.includes(comparison))]
}

/** A contradicted claim in words that follow a name: `claimed drafts 3, measured 0`; `claimed done, but tests.failed == 0 fails`. */
export function lieInWords({ subject, claimed, measured, isHint }: Compared): string {
  if (measured === 'not written') return `claimed to have written ${subject}, but did not`
  if (subject === 'completion') return `claimed done, but ${measured ?? 'nothing shows it'}`
  if (isHint !== true) return `claimed ${subject} ${claimed ?? 'nothing'}, measured ${measured ?? 'nothing'}`
  const values = measured === null || measured === 'does not hold' ? '' : ` (${measured})`
  return `claimed ${claimed ?? 'nothing'}, but ${subject} fails${values}`
}

/** What was measured, as a screen says it: a check passes or fails. */
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
