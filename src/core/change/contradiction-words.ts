import type { ChangeClaim } from './types.ts'

/** Returns a contradicted claim in words, as a verdict's reason. */
export function contradictionWords({
  kind,
  subject,
  claimed,
  measured,
}: Pick<ChangeClaim, 'kind' | 'subject' | 'claimed' | 'measured'>): string {
  const about = subject === '' ? '' : `${subject}: `
  return `${about}claimed "${claimed}", measured: ${measured ?? 'nothing'}${kind === 'box' ? ' (a ticked box)' : ''}`
}
