import type { ChangeClaim } from './types.ts'

/** Returns a contradicted claim as the reason of a verdict. */
export function contradictionWords({
  kind,
  subject,
  claimed,
  measured,
}: Pick<ChangeClaim, 'kind' | 'subject' | 'claimed' | 'measured'>): string {
  const about = subject === '' ? '' : `${subject}: `
  return `${about}claimed "${claimed}", measured: ${measured ?? 'nothing'}${kind === 'box' ? ' (a ticked box)' : ''}`
}
