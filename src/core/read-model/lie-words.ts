/** A claim beside what was measured, as far as words go by it. */
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

/** A refuted claim in words that follow a name: `claimed drafts 3, measured 0`; `claimed done, and tests.failed == 0 does not hold`. */
export function lieInWords({ subject, claimed, measured, isHint }: Compared): string {
  if (measured === 'not written') return `claimed ${subject} written, and it was not`
  if (subject === 'completion') return `claimed done, and ${measured ?? 'nothing shows it'}`
  if (isHint !== true) return `claimed ${subject} ${claimed ?? 'nothing'}, measured ${measured ?? 'nothing'}`
  const values = measured === null || measured === 'does not hold' ? '' : ` (${measured})`
  return `claimed ${claimed ?? 'nothing'}, and ${subject} does not hold${values}`
}
