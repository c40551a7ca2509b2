import type { ChangeVerdict, CheckSide } from '../types.ts'

/** Returns the verdict in one or two words. */
export function verdictWords({
  verdict,
  held,
  applicable,
  groundTruthContradiction,
}: Pick<ChangeVerdict, 'verdict' | 'held' | 'applicable' | 'groundTruthContradiction'>): string {
  if (!applicable) return 'Not applicable'
  if (held) return 'Held for review'
  if (groundTruthContradiction) return 'Contradiction'
  switch (verdict) {
    case 'verified':
      return 'Verified'
    case 'not_verified':
      return 'Not verified'
    default:
      return 'Unclear'
  }
}

/** Returns one side of a check in words: "12 passed, 1 failed". */
export function sideWords(side: CheckSide | null): string {
  if (side === null) return '–'
  if (side.passed === null) return side.status === 'unavailable' ? 'could not run' : side.status
  const parts = [
    `${side.passed} passed`,
    ...(side.failed !== null && side.failed > 0 ? [`${side.failed} failed`] : []),
    ...(side.skipped !== null && side.skipped > 0 ? [`${side.skipped} skipped`] : []),
  ]
  return parts.join(', ')
}

/** Returns a claim's outcome in a word. */
export function equalWords(equal: boolean | null): 'true' | 'contradicted' | 'unread' {
  return equal === null ? 'unread' : equal ? 'true' : 'contradicted'
}

/** Returns one line without control characters and lone surrogates, because paths and names come from the author. */
export function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: -- control characters are what this takes out
  const visible = text.replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, ' ')
  return visible.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
}
